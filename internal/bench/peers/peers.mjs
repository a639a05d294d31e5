// The peers of the npm world on the texts that Palimpsest is measured on. Prints
// lines in the format of Go's benchmarks; CPU time of this process. What is not
// installed is left out.
import fs from 'node:fs'
import readline from 'node:readline'

const [kindsFile, loadFile, parseFile, quick] = process.argv.slice(2)
const kinds = JSON.parse(fs.readFileSync(kindsFile, 'utf8'))

const load = async (name) => { try { return await import(name) } catch { return null } }
const print = (name, ns, ...more) => console.log(['BenchmarkNode/' + name, 1, ns + ' cpu-ns/op', ...more].join('\t'))

async function cpu(f) {
  const from = process.cpuUsage()
  await f()
  const used = process.cpuUsage(from)
  return (used.user + used.system) * 1000
}

// Counters.
const counters = {}
const gpt = await load('gpt-tokenizer/encoding/o200k_base')
if (gpt) counters['gpt-tokenizer'] = (s) => gpt.countTokens(s, { disallowedSpecial: new Set() })
const ai = await load('ai-tokenizer'), aiO200k = await load('ai-tokenizer/encoding/o200k_base')
if (ai && aiO200k) { const t = new ai.default(aiO200k); counters['ai-tokenizer'] = (s) => t.count(s) }
const tt = await load('tiktoken')
if (tt) { const e = tt.get_encoding('o200k_base'); counters['tiktoken'] = (s) => e.encode_ordinary(s).length }

for (const [kind, texts] of Object.entries(kinds)) {
  let best = Infinity
  for (const [name, count] of Object.entries(counters)) {
    for (const s of texts.slice(0, 20)) count(s) // warm
    const ns = await cpu(() => { for (const s of texts) count(s) })
    print(name + '/' + kind, ns)
    best = Math.min(best, ns)
  }
  if (best < Infinity) print('best/' + kind, best)
}

// Parsing, and loading with the fastest counter.
async function eachLine(path, f) {
  for await (const line of readline.createInterface({ input: fs.createReadStream(path), crlfDelay: Infinity })) f(line)
}
const texts = (v) => typeof v === 'string' ? [v] : Array.isArray(v) ? v.flatMap(texts)
  : v && typeof v === 'object' ? [v.text, v.content, v.input && JSON.stringify(v.input)].filter(Boolean).flatMap(texts) : []
{
  let n = 0
  const began = process.hrtime.bigint()
  const used = await cpu(() => eachLine(parseFile, (line) => { n += JSON.parse(line).type.length }))
  print('parse', used, Number(process.hrtime.bigint() - began) + ' ns/op')
}
const fastest = counters['gpt-tokenizer'] || counters['ai-tokenizer']
if (fastest) {
  let n = 0
  const from = process.hrtime.bigint()
  const ns = await cpu(() => eachLine(loadFile, (line) => { for (const s of texts(JSON.parse(line).message?.content)) n += fastest(s) }))
  print('load', ns, (fs.statSync(loadFile).size / 1e6 / (Number(process.hrtime.bigint() - from) / 1e9)).toFixed(2) + ' MB/s')
}

// Planners: messages of about 220 tokens, budget half of the total.
const words = 'the agent reads a file and then runs the tests again to see '.repeat(15)
const body = (i) => words + i
const shapes = (n) => Array.from({ length: n }, (_, i) => i === 0 ? 'system' : i % 20 === 1 ? 'user' : i % 2 === 0 ? 'call' : 'result')

const lc = await load('@langchain/core/messages')
if (lc) {
  const make = (n) => shapes(n).map((k, i) => k === 'system' ? new lc.SystemMessage(body(i)) : k === 'user' ? new lc.HumanMessage(body(i))
    : k === 'call' ? new lc.AIMessage({ content: body(i), tool_calls: [{ id: 'c' + i, name: 'run', args: {} }] })
    : new lc.ToolMessage({ content: body(i), tool_call_id: 'c' + (i - 1) }))
  const tokenCounter = (list) => list.reduce((n, m) => n + m.content.length / 4, 0)
  const trim = (list, maxTokens) => lc.trimMessages(list, { maxTokens, strategy: 'last', tokenCounter, includeSystem: true })
  const list = make(10_000)
  print('trimMessages', await cpu(() => trim(list, tokenCounter(list) / 2)))
  if (!quick) {
    const live = make(2_000)
    print('trimReplay', await cpu(async () => { for (let i = 1; i <= live.length; i += 10) await trim(live.slice(0, i), 50_000) }).then((ns) => ns * 10)) // every tenth call, for the time
  }
}

const mastra = await load('@mastra/core/processors')
if (mastra?.TokenLimiterProcessor) {
  try {
    const list = shapes(10_000).map((k, i) => ({ id: 'm' + i, role: k === 'user' ? 'user' : k === 'system' ? 'system' : 'assistant', createdAt: new Date(),
      content: { format: 2, parts: [{ type: 'text', text: body(i) }] } }))
    const p = new mastra.TokenLimiterProcessor({ limit: 10_000 * 110 })
    let removed = 0 // its own list of messages needs an agent around it; this one does what the processor asks of it
    const messageList = { get: { all: { db: () => list } }, getAllSystemMessages: () => [], removeByIds: (ids) => { removed = ids.length } }
    const ns = await cpu(() => p.processInputStep({ messageList, messages: list }))
    if (removed > 0) print('mastra', ns)
  } catch (e) { console.error('mastra: ' + e.message) }
}

const vercel = await load('ai')
if (vercel?.pruneMessages) {
  const messages = shapes(100_000).map((k, i) => k === 'system' || k === 'user' ? { role: k, content: body(i) }
    : k === 'call' ? { role: 'assistant', content: [{ type: 'text', text: body(i) }, { type: 'tool-call', toolCallId: 'c' + i, toolName: 'run', input: {} }] }
    : { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c' + (i - 1), toolName: 'run', output: { type: 'text', value: body(i) } }] })
  print('pruneMessages', await cpu(() => vercel.pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-2-messages' })))
}
