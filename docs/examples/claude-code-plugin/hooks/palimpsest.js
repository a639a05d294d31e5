// A function hook of Claude Code (early access): what a compaction leaves is decided
// by `palimpsest hook plan`. In any doubt Claude Code compacts by itself.

const patience = 20_000 // ms

export const register = (on, options) => {
  const program = String(options.program || 'palimpsest')
  const preset = String(options.preset || 'balanced')
  let compacting = false

  // A plan takes less than a second: nothing is gained by one made ahead of time.
  on('session.compact', { trigger: 'precompute' }, () => ({ skip: 'palimpsest plans when it is time' }))

  on('session.compact', async ($, e, next) => {
    try {
      // A message without what only the engine knows of it.
      const messages = e.messages.map(({ role, text, toolUses, toolResults }) => ({ role, text, toolUses, toolResults }))
      const ran = await $.process.run([program, 'hook', 'plan', '--preset', preset],
        { stdin: JSON.stringify({ messages }), timeoutMs: patience })
      if (ran.exitCode !== 0) throw new Error(ran.stderr.trim() || `it ended with ${ran.exitCode}`)
      const plan = JSON.parse(ran.stdout)
      // What stays is the engine's own object, but for results: their rows name the row of
      // the call before the compaction as parent, and a session that is resumed would go on there.
      const stays = (i) => (e.messages[i]?.toolResults?.length > 0 ? messages[i] : e.messages[i])
      const left = plan.messages.flatMap((m) => (m.index >= 0 ? stays(m.index) : m.message) ?? [])
      if (left.length === 0 || left.length < plan.messages.length) throw new Error('the plan names messages that are not there')
      $.ui.log(`palimpsest: ${plan.record} (${e.messages.length} → ${left.length} messages)`)
      return { messages: left }
    } catch (error) {
      $.ui.log(`palimpsest: Claude Code compacts by itself (${error instanceof Error ? error.message : error})`)
      return next(e)
    }
  })

  on('turn.complete', async ($, e, next) => {
    const at = Number(options.compactAtPercent) || 0
    if (at > 0 && !compacting && e.agentId === undefined) {
      compacting = true
      try {
        const { context } = await $.session.usage()
        if ((context.percent ?? 0) >= at) await $.session.compact()
      } catch (error) {
        $.ui.log(`palimpsest: not compacted (${error instanceof Error ? error.message : error})`)
      } finally {
        compacting = false
      }
    }
    return next(e)
  })
}
