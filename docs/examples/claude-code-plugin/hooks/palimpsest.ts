// A function hook of Claude Code (early access, from 2.1.274; tried against its
// documented shape only): what a compaction leaves is decided by `palimpsest hook plan`.
// In any doubt Claude Code compacts by itself.
import { spawn } from 'node:child_process'

const patience = 20_000 // ms

/** Runs palimpsest with a question on its standard input. */
const ask = (program, args, question) => new Promise((resolve, reject) => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: patience })
  let answer = '', trouble = ''
  child.stdout.on('data', (b) => (answer += b))
  child.stderr.on('data', (b) => (trouble += b))
  child.stdin.on('error', () => {}) // it ended early and says why
  child.on('error', reject)
  child.on('close', (code) => (code === 0 ? resolve(JSON.parse(answer)) : reject(new Error(trouble.trim() || `it ended with ${code}`))))
  child.stdin.end(JSON.stringify(question))
})

/** A message without what only the engine knows of it. */
const told = (m) => ({ role: m.role, text: m.text, toolUses: m.toolUses, toolResults: m.toolResults })

export const register = (on, options = {}) => {
  const program = options.program || 'palimpsest'
  const args = ['hook', 'plan', '--preset', options.preset || 'balanced']
  let compacting = false

  on('session.compact', async ($, event, next) => {
    try {
      const plan = await ask(program, args, { messages: event.messages.map(told) })
      // What stays is the engine's own object; what is new has no handle.
      const messages = plan.messages.map((m) => (m.index >= 0 ? event.messages[m.index] : m.message))
      if (messages.length === 0 || messages.some((m) => !m)) throw new Error('the plan names messages that are not there')
      $.ui.log(`palimpsest: ${plan.record} (${event.messages.length} → ${messages.length} messages)`)
      return { messages }
    } catch (error) {
      $.ui.log(`palimpsest: Claude Code compacts by itself (${error instanceof Error ? error.message : error})`)
      return next(event)
    }
  })

  on('turn.complete', async ($, event, next) => {
    const at = Number(options.compactAtPercent) || 0
    if (at > 0 && !compacting) {
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
    return next(event)
  })
}
