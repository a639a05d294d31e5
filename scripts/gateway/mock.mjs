// A server that speaks as much of the protocols of Anthropic, OpenAI and Google as a coding agent
// needs, and refuses what the providers refuse: half a character, a call without its result, a
// result without its call. It writes a line for each call to the file given. With STEPS it first
// has the agent read so many files by its shell; a fault of FAULTS ("429:3,cut:5") meets the
// call with that number. GET /again begins anew.
import { createServer } from "node:http";
import { appendFileSync, writeFileSync } from "node:fs";
import zlib from "node:zlib";

const [log, portFile] = process.argv.slice(2);
const steps = Number(process.env.STEPS ?? 0);
let asked = 0, faults;
const again = () => { asked = 0; faults = new Map((process.env.FAULTS || "").split(",").filter(Boolean).map((f) => f.split(":").reverse())); };
again();

const said = "<summary>SUMMARY-BY-MOCK: files were read, go on.</summary><state_snapshot>SUMMARY-BY-MOCK</state_snapshot>"; // may be the last thing that it reads again
const summary = /create a detailed summary|CONTEXT CHECKPOINT COMPACTION|state_snapshot|summariz(e|ing) (the|this|our) conversation|handoff summary|anchored summary|structured context checkpoint|detailed summary for continuing|new summary that combines both/i;

const summarizer = /session into a concise continuation note|You are a context summarization assistant/; // in the system prompt

// pairs is why calls and their results do not belong together; "": they do.
function pairs(turns, after) {
	let waits = new Set();
	for (const { calls, results } of turns) {
		for (const id of results) if (!waits.has(id)) return `unexpected tool_use_id found in tool_result blocks: ${id}`;
		if (after || results.length === 0) for (const id of waits) if (!results.includes(id)) return `tool_use ids were found without tool_result blocks: ${id}`;
		if (results.length && !after) for (const id of results) waits.delete(id);
		else waits = new Set();
		for (const id of calls) waits.add(id);
	}
	return waits.size ? `No tool output found for ${[...waits]}` : "";
}

const apis = {
	messages: {
		turns: (b) => b.messages.map((m) => [m.content].flat().filter((x) => x.type)).map((bs) => ({
			calls: bs.filter((x) => x.type === "tool_use").map((x) => x.id), results: bs.filter((x) => x.type === "tool_result").map((x) => x.tool_use_id) })),
		after: true,
		refused: (b) => (b.messages.some((m) => [m.content].flat().some((x) => x.type === "text" && x.text === "")) ? "text content blocks must be non-empty" : ""),
		tools: (b) => (b.tools ?? []).map((t) => [t.name, t.input_schema]),
		last: (b) => b.messages.at(-1),
		answer(b, text, call, tokens) {
			const content = [{ type: "text", text }, ...(call ? [{ type: "tool_use", id: `toolu_${call.id}`, name: call.name, input: call.args }] : [])];
			const message = { id: `msg_${tokens}_${asked}`, type: "message", role: "assistant", model: b.model, content, stop_reason: call ? "tool_use" : "end_turn",
				stop_sequence: null, usage: { input_tokens: tokens, output_tokens: 9 } };
			if (!b.stream) return [JSON.stringify(message)];
			const events = [{ type: "message_start", message: { ...message, content: [], stop_reason: null } }];
			content.forEach((x, index) => events.push(
				{ type: "content_block_start", index, content_block: x.type === "text" ? { type: "text", text: "" } : { ...x, input: {} } },
				{ type: "content_block_delta", index, delta: x.type === "text" ? { type: "text_delta", text } : { type: "input_json_delta", partial_json: JSON.stringify(x.input) } },
				{ type: "content_block_stop", index }));
			events.push({ type: "message_delta", delta: { stop_reason: message.stop_reason }, usage: { output_tokens: 9 } }, { type: "message_stop" });
			return events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`);
		},
	},
	completions: {
		turns: (b) => b.messages.map((m) => ({ calls: (m.tool_calls ?? []).map((c) => c.id), results: m.tool_call_id ? [m.tool_call_id] : [] })),
		tools: (b) => (b.tools ?? []).map((t) => [t.function.name, t.function.parameters]),
		last: (b) => b.messages.at(-1),
		answer(b, text, call, tokens) {
			const message = { role: "assistant", content: text, ...(call && { tool_calls: [{ index: 0, id: `call_${call.id}`, type: "function", function: { name: call.name, arguments: JSON.stringify(call.args) } }] }) };
			const usage = { prompt_tokens: tokens, completion_tokens: 9, total_tokens: tokens + 9 };
			const whole = (key, more) => ({ id: `c${asked}`, object: "chat.completion" + (b.stream ? ".chunk" : ""), created: 1, model: b.model ?? "mock", ...more, choices: [{ index: 0, ...key }] });
			const finish_reason = call ? "tool_calls" : "stop";
			if (!b.stream) return [JSON.stringify(whole({ message, finish_reason }, { usage }))];
			return [whole({ delta: message, finish_reason: null }), whole({ delta: {}, finish_reason }), { ...whole({}), choices: [], usage }].map((e) => `data: ${JSON.stringify(e)}\n\n`).concat("data: [DONE]\n\n");
		},
	},
	responses: {
		turns: (b) => b.input.map((x) => ({ calls: /_call$/.test(x.type ?? "") && x.call_id ? [x.call_id] : [], results: /_call_output$/.test(x.type ?? "") ? [x.call_id] : [] })),
		loose: true, // messages may stand between a call and its result
		tools: (b) => (b.tools ?? []).map((t) => [t.name ?? t.type, t.parameters]),
		last: (b) => b.input.at(-1),
		answer(b, text, call, tokens) {
			const output = [{ type: "message", id: `msg_${asked}`, role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] },
				...(call ? [{ type: "function_call", id: `fc_${call.id}`, call_id: `call_${call.id}`, name: call.name, arguments: JSON.stringify(call.args), status: "completed" }] : [])];
			const response = { id: `resp_${asked}`, object: "response", created_at: 1, status: "completed", model: b.model, output, error: null, tools: [],
				usage: { input_tokens: tokens, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: tokens + 9 } };
			if (!b.stream) return [JSON.stringify(response)];
			const events = [{ type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } }];
			output.forEach((item, output_index) => events.push({ type: "response.output_item.added", output_index, item }, { type: "response.output_item.done", output_index, item }));
			events.push({ type: "response.completed", response });
			return events.map((e, sequence_number) => `event: ${e.type}\ndata: ${JSON.stringify({ ...e, sequence_number })}\n\n`);
		},
	},
	gemini: {
		turns: (b) => b.contents.map((c) => ({ calls: c.parts.filter((p) => p.functionCall).map((p) => p.functionCall.name), results: c.parts.filter((p) => p.functionResponse).map((p) => p.functionResponse.name) })),
		after: true,
		tools: (b) => (b.tools ?? []).flatMap((t) => t.functionDeclarations ?? []).map((f) => [f.name, f.parametersJsonSchema ?? f.parameters]),
		last: (b) => [b.contents.at(-1), b.systemInstruction],
		answer(b, text, call, tokens, url) {
			const parts = [{ text }, ...(call ? [{ functionCall: { id: call.id, name: call.name, args: call.args } }] : [])];
			const whole = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }], modelVersion: "mock",
				usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 9, totalTokenCount: tokens + 9 } };
			return [url.includes("stream") ? `data: ${JSON.stringify(whole)}\r\n\r\n` : JSON.stringify(whole)];
		},
	},
};

// refused is why a provider would answer 400; "" if it would not.
function refused(api, text, body) {
	if (/(^|[^\\])(\\\\)*\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(text)) return "no low surrogate in string";
	let turns = api.turns(body);
	if (api.loose) turns = turns.filter((t) => t.calls.length || t.results.length);
	return pairs(turns, api.after) || (api.refused?.(body) ?? "");
}

// shell has the agent read a file, in the words of its own tool; undefined: it has none.
function shell(tools, n) {
	for (const name of ["Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command", "execute_command", "run_commands"]) {
		const found = tools.find(([t]) => t === name);
		if (!found) continue;
		const command = `cat data/${n % 40}.txt`, wants = found[1]?.properties ?? {};
		const args = wants.cmd ? { cmd: command } : wants.commands ? { commands: [command] } : { command: wants.command?.type === "array" ? ["bash", "-lc", command] : command };
		for (const k of found[1]?.required ?? []) args[k] ??= wants[k]?.type === "boolean" ? false : /number|integer/.test(wants[k]?.type) ? 10000 : "reads a file";
		return { id: `${n}_${Math.random().toString(16).slice(2, 10)}`, name, args };
	}
}

const server = createServer((req, res) => {
	const got = [];
	req.on("data", (d) => got.push(d));
	req.on("end", () => {
		const coding = req.headers["content-encoding"], raw = Buffer.concat(got);
		const text = (coding === "zstd" ? zlib.zstdDecompressSync(raw) : coding === "gzip" ? zlib.gunzipSync(raw) : raw).toString();
		const json = (status, v) => { res.writeHead(status, { "content-type": "application/json" }); res.end(JSON.stringify(v)); };
		const name = /:(stream)?generateContent/i.test(req.url) ? "gemini" : /\/(messages|completions|responses)(\?|$)/.exec(req.url)?.[1], api = apis[name];
		if (req.url === "/again") again();
		if (!api || req.method !== "POST") return json(/count_tokens/.test(req.url) ? 200 : 404, { input_tokens: 9, error: { message: "there is no such thing here" } });
		const body = JSON.parse(text), why = refused(api, text, body), last = JSON.stringify(api.last(body)).replaceAll(said, "");
		const tools = api.tools(body), compacts = summary.test(last.slice(-9000)) || summarizer.test(text.slice(0, 4000));
		const call = !compacts && steps && shell(tools, asked);
		if (call) asked++;
		const fault = call && faults.get(String(asked));
		faults.delete(String(asked));
		appendFileSync(log, JSON.stringify({ url: req.url, api: name, bytes: raw.length, messages: api.turns(body).length, answer: why ? 400 : 200, why, fault, compacts, last: !compacts && asked > steps, holds: text.includes("zucchini"), ends: text.includes("ALL-READ") }) + "\n");
		if (why) return json(400, { type: "error", error: { type: "invalid_request_error", message: why } });
		if (fault) asked--;
		if (fault === "drop") return req.socket.destroy();
		if (/^\d+$/.test(fault)) return json(Number(fault), { type: "error", error: { type: "overloaded_error", message: "later" } });
		const words = compacts ? said : !steps || !tools.length ? "pong" : asked > steps ? "ALL-READ" : `Step ${asked}.`;
		const answer = api.answer(body, words, asked > steps ? undefined : call, Math.round(text.length / 4), req.url);
		res.writeHead(200, { "content-type": answer.length > 1 || answer[0].startsWith("data:") ? "text/event-stream" : "application/json" });
		if (fault !== "cut") return res.end(answer.join(""));
		res.write(answer[0]);
		setTimeout(() => req.socket.destroy(), 50);
	});
});
server.listen(0, "127.0.0.1", () => writeFileSync(portFile, String(server.address().port)));
