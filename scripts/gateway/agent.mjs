// A scripted agent talks through the gateway with the official clients of OpenAI and
// Anthropic, for 300 turns in each mode, to a server of its own that refuses what the
// real ones refuse. Run by scripts/gateway.sh.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { brotliCompressSync, gzipSync } from 'node:zlib'

console.warn = () => {} // the clients say which models are old; none is asked

const program = process.argv[2]
const turns = Number(process.argv[3] ?? 300)
const window = 64_000 // tokens; four characters are one here

// ---- the server -----------------------------------------------------------------

let run // what the server saw in this run

const newRun = (limit) => ({ limit, calls: 0, refused: [], before: null, reused: 0, of: 0, fell: 0, largest: 0, summaries: 0 })

/** Without the marks of the prompt cache, which the server does not cache. */
const plain = (v) => JSON.stringify(v, (k, x) => (k === 'cache_control' ? undefined : x))

/** What a real server refuses: calls and results that parted, too many marks, too much. */
function refusal(path, body) {
  const open = new Map(), said = new Map()
  let marks = 0
  const list = body.messages ?? body.input
  for (const [i, m] of list.entries()) {
    if (m.type === 'function_call') open.set(m.call_id, i)
    if (m.type === 'function_call_output') said.set(m.call_id, i)
    if (m.type === 'reasoning' && list[i + 1]?.type !== 'function_call' && list[i + 1]?.role !== 'assistant') return `reasoning ${m.id} alone`
    for (const c of m.tool_calls ?? []) open.set(c.id, i)
    if (m.tool_call_id) said.set(m.tool_call_id, i)
    for (const b of Array.isArray(m.content) ? m.content : []) {
      if (b.type === 'tool_use') open.set(b.id, i)
      if (b.type === 'tool_result') said.set(b.tool_use_id, i)
      if (b.cache_control) marks++
      if (b.type === 'thinking' && b.signature !== sign(b.thinking)) return 'a signature does not match its thoughts'
    }
  }
  for (const [id, at] of open) if (!said.has(id) || (path.endsWith('/messages') && said.get(id) !== at + 1)) return `${id} is not answered`
  for (const id of said.keys()) if (!open.has(id)) return `${id} was not called`
  if (marks > 4) return `${marks} marks of the cache`
  return plain(list).length / 4 > run.limit ? 'prompt is too long' : null
}

const sign = (text) => Buffer.from([...text].reverse().join('')).toString('base64')

/** How much of the request before is the beginning of this one. */
function cached(body) {
  const now = (body.messages ?? body.input).map(plain)
  if (run.before) {
    let same = 0
    while (same < run.before.length && run.before[same] === now[same]) same++
    const size = (l) => l.reduce((n, s) => n + s.length, 0)
    if (size(now) < 0.95 * size(run.before)) run.fell++ // a firing
    else {
      run.reused += size(now.slice(0, same))
      run.of += size(run.before)
    }
  }
  run.before = now
}

const words = (n) => `I read file ${n} and found function f${n} in src/part${n % 17}.go.`
const output = (n) => Array.from({ length: 26 }, (_, k) => `${k}: func f${n}_${k}(ctx context.Context, id string) error { return do(ctx, ${n * 31 + k}) }`).join('\n')

/** The answer depends on the number of the newest result alone. */
function number(body) {
  const last = plain((body.messages ?? body.input).at(-1))
  const m = [...last.matchAll(/func f(\d+)_0/g)].at(-1)
  return m ? Number(m[1]) + 1 : 1
}

function answer(path, body, n, input) {
  const args = JSON.stringify({ path: `src/f${n}.go` })
  if (path.endsWith('/messages')) {
    const thought = `Next is ${n}.`
    return [
      { type: 'message_start', message: { id: `msg_${n}`, type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: thought } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: sign(thought) } },
      { type: 'content_block_stop', index: 0 },
      { type: 'ping' },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: words(n) } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: `toolu_${n}`, name: 'read', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: args } },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 40 } },
      { type: 'message_stop' },
    ].map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join('')
  }
  if (path.endsWith('/completions')) {
    const chunk = (delta, more = {}) => ({ id: `c${n}`, object: 'chat.completion.chunk', created: 1, model: body.model, choices: [{ index: 0, delta, finish_reason: null }], ...more })
    const end = chunk({}, { usage: { prompt_tokens: input, completion_tokens: 40, total_tokens: input + 40 } })
    end.choices[0].finish_reason = 'tool_calls'
    return [
      chunk({ role: 'assistant', content: words(n).slice(0, 9) }),
      chunk({ content: words(n).slice(9) }),
      chunk({ tool_calls: [{ index: 0, id: `call_${n}`, type: 'function', function: { name: 'read', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
      end,
    ].map((e) => `data: ${JSON.stringify(e)}\n\n`).join('') + 'data: [DONE]\n\n'
  }
  const said = [
    { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: sign(String(n)) },
    { type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: words(n), annotations: [] }] },
    { type: 'function_call', id: `fc_${n}`, call_id: `call_${n}`, name: 'read', arguments: args, status: 'completed' },
  ]
  const response = { id: `resp_${n}`, object: 'response', created_at: 1, model: body.model, status: 'in_progress', output: [], tools: [] }
  const events = [{ type: 'response.created', response }]
  said.forEach((item, i) => events.push({ type: 'response.output_item.added', output_index: i, item }, { type: 'response.output_item.done', output_index: i, item }))
  events.push({ type: 'response.completed', response: { ...response, status: 'completed', output: said, usage: { input_tokens: input, output_tokens: 40, total_tokens: input + 40, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } } } })
  return events.map((e, i) => `event: ${e.type}\ndata: ${JSON.stringify({ ...e, sequence_number: i })}\n\n`).join('')
}

const server = createServer(async (req, res) => {
  const parts = []
  for await (const p of req) parts.push(p)
  const body = JSON.parse(Buffer.concat(parts).toString() || '{}')
  if (req.url.startsWith('/summaries')) {
    run.summaries++
    const text = `The agent reads the files of a project one after the other and names the function that it finds in each.`
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ id: 's', object: 'chat.completion', created: 1, model: 'sum', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } }))
    return
  }
  run.calls++
  const input = Math.round(plain(body.messages ?? body.input).length / 4)
  run.largest = Math.max(run.largest, input)
  const why = refusal(req.url, body)
  if (why) {
    run.refused.push(why)
    res.writeHead(400, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: why } }))
    return
  }
  cached(body)
  const text = Buffer.from(answer(req.url, body, number(body), input))
  const accepts = req.headers['accept-encoding'] ?? ''
  res.setHeader('content-type', 'text/event-stream')
  if (run.calls % 3 === 1 && accepts.includes('gzip')) res.setHeader('content-encoding', 'gzip').end(gzipSync(text))
  else if (run.calls % 3 === 2 && accepts.includes('br')) res.setHeader('content-encoding', 'br').end(brotliCompressSync(text))
  else res.end(text)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const upstream = `http://127.0.0.1:${server.address().port}`

// ---- the agents -----------------------------------------------------------------

const task = 'Read all files of the project and name the functions. The main branch is release/2.4; never touch vendor/.'

const agents = {
  async anthropic(base) {
    const client = new Anthropic({ baseURL: base, apiKey: 'sk-ant-not-real', maxRetries: 0 })
    const messages = [{ role: 'user', content: task }]
    const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }]
    for (let k = 0; k < turns; k++) {
      const marked = messages.map((m, i) => (i === messages.length - 1 && Array.isArray(m.content)
        ? { ...m, content: m.content.map((b) => ({ ...b, cache_control: { type: 'ephemeral' } })) } : m))
      const m = await client.messages.stream({ model: 'claude-sonnet-4-5', max_tokens: 1000, system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }], tools, messages: marked }).finalMessage()
      messages.push({ role: 'assistant', content: m.content })
      const call = m.content.find((b) => b.type === 'tool_use')
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: output(k + 1) }] })
    }
    return messages
  },
  async chat(base) {
    const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-not-real', maxRetries: 0 })
    const messages = [{ role: 'system', content: 'You are an agent.' }, { role: 'user', content: task }]
    const tools = [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } } }]
    for (let k = 0; k < turns; k++) {
      const m = await client.chat.completions.stream({ model: 'gpt-5', messages, tools }).finalMessage()
      messages.push({ role: 'assistant', content: m.content, tool_calls: m.tool_calls.map(({ id, type, function: f }) => ({ id, type, function: { name: f.name, arguments: f.arguments } })) })
      messages.push({ role: 'tool', tool_call_id: m.tool_calls[0].id, content: output(k + 1) })
    }
    return messages
  },
  async responses(base) {
    const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-not-real', maxRetries: 0 })
    const input = [{ role: 'user', content: task }]
    const tools = [{ type: 'function', name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } }, strict: false }]
    for (let k = 0; k < turns; k++) {
      let r
      for await (const e of await client.responses.create({ model: 'gpt-5', instructions: 'You are an agent.', input, tools, store: false, stream: true })) if (e.type === 'response.completed') r = e.response
      input.push(...r.output)
      input.push({ type: 'function_call_output', call_id: r.output.at(-1).call_id, output: output(k + 1) })
    }
    return input
  },
}

// ---- the runs -------------------------------------------------------------------

async function gateway(mode, dir) {
  const args = ['--db', join(dir, 'records.db'), 'serve', '--upstream', upstream, '--listen', '127.0.0.1:0', '--dir', dir, '--mode', mode]
  if (mode !== 'watch') args.push('--model-limit', String(window), '--threshold', '44k', '--window', '8ktok')
  if (mode === 'model') args.push('--endpoint', `${upstream}/summaries`, '--model', 'sum', '--accept-flaws')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let line = ''
  for await (const b of child.stdout) if ((line += b).includes('\n')) break
  return { child, base: line.match(/http:\/\/127\.0\.0\.1:\d+/)[0] }
}

let failed = false
const demand = (ok, what) => { if (!ok) { failed = true; console.log(`  FAILED: ${what}`) } }
const share = (r) => r.reused / r.of

for (const [name, agent] of Object.entries(agents)) {
  run = newRun(Infinity)
  const alone = await agent(upstream)
  const direct = run
  console.log(`${name.padEnd(10)} no gateway  ${direct.calls} calls, largest ${direct.largest} tokens, cached ${(100 * share(direct)).toFixed(2)} %`)
  for (const mode of ['watch', 'clear', 'ledger', 'model']) {
    const dir = mkdtempSync(join(tmpdir(), 'gateway-'))
    const { child, base } = await gateway(mode, dir)
    run = newRun(mode === 'watch' ? Infinity : window)
    try {
      const through = await agent(base)
      demand(JSON.stringify(through) === JSON.stringify(alone), 'the agent has another transcript than without a gateway')
    } catch (e) {
      demand(false, String(e))
    }
    child.kill('SIGTERM')
    await once(child, 'exit')
    const kept = (r) => r.reused / (r.of || 1)
    console.log(`${name.padEnd(10)} ${mode.padEnd(10)}  ${run.calls} calls, largest ${run.largest} tokens, ${run.fell} firings, cached ${(100 * kept(run)).toFixed(2)} % outside them, ${run.refused.length} refused${run.refused.length ? ': ' + run.refused[0] : ''}`)
    demand(run.calls >= turns, 'calls are missing')
    demand(run.refused.length === 0, 'the server refused a request')
    demand(readdirSync(dir).filter((f) => f.endsWith('.jsonl')).length === 1, 'there is not one transcript')
    if (mode === 'watch') demand(run.fell === 0 && Math.abs(share(direct) - share(run)) < 0.0001, 'something changed in watch')
    else {
      demand(run.largest <= window, 'the context outgrew the window')
      demand(run.fell > 0 && run.fell <= 12, 'firings are not rare, or there are none')
      // The share of the request before that is found again: all of it, as without a gateway.
      demand(Math.abs(share(direct) - kept(run)) <= 0.02, 'the cache is hit less')
    }
    if (mode === 'model') demand(run.summaries > 0, 'no model was asked')
    rmSync(dir, { recursive: true })
  }
}
server.close()
process.exit(failed ? 1 : 0)
