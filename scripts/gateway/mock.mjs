// A server that speaks as much of the protocols of Anthropic and OpenAI as a coding agent needs
// to make one call, and refuses what the providers refuse: half a character, a call without
// its result, a result without its call. It writes a line for each call to the file given.
import { createServer } from "node:http";
import { appendFileSync, writeFileSync } from "node:fs";

const [log, portFile] = process.argv.slice(2);

// refused is why a provider would answer 400; "" if it would not.
function refused(body) {
	if (/(^|[^\\])(\\\\)*\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(body)) return "no low surrogate in string";
	const asked = JSON.parse(body);
	let waits = new Set();
	for (const m of asked.messages ?? []) {
		const blocks = Array.isArray(m.content) ? m.content : [];
		const results = new Set(blocks.filter((b) => b.type === "tool_result").map((b) => b.tool_use_id));
		if (m.tool_call_id) results.add(m.tool_call_id);
		for (const id of results) if (!waits.has(id)) return `unexpected tool_use_id found in tool_result blocks: ${id}`;
		if (m.role !== "tool") for (const id of waits) if (!results.has(id)) return `tool_use ids were found without tool_result blocks: ${id}`;
		if (m.role === "tool") waits.delete(m.tool_call_id);
		else waits = new Set([...blocks.filter((b) => b.type === "tool_use").map((b) => b.id), ...(m.tool_calls ?? []).map((c) => c.id)]);
		if (blocks.some((b) => b.type === "text" && b.text === "")) return "text content blocks must be non-empty";
	}
	return "";
}

const anthropic = (stream) => {
	const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text: "pong" }],
		stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } };
	if (!stream) return JSON.stringify(message);
	const events = [
		{ type: "message_start", message: { ...message, content: [], stop_reason: null } },
		{ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
		{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "pong" } },
		{ type: "content_block_stop", index: 0 },
		{ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
		{ type: "message_stop" },
	];
	return events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join("");
};

const chat = (stream) => {
	const choice = (key) => ({ id: "c1", object: "chat.completion" + (stream ? ".chunk" : ""), created: 1, model: "mock",
		choices: [{ index: 0, [key]: { role: "assistant", content: "pong" }, finish_reason: "stop" }], usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } });
	return stream ? `data: ${JSON.stringify(choice("delta"))}\n\ndata: [DONE]\n\n` : JSON.stringify(choice("message"));
};

const server = createServer((req, res) => {
	let body = "";
	req.on("data", (d) => (body += d));
	req.on("end", () => {
		const calls = req.method === "POST" && /\/(messages|chat\/completions)(\?|$)/.test(req.url);
		if (!calls) {
			res.writeHead(req.url.includes("count_tokens") ? 200 : 404, { "content-type": "application/json" });
			return res.end(JSON.stringify({ input_tokens: 9 }));
		}
		const asked = JSON.parse(body), why = refused(body);
		appendFileSync(log, JSON.stringify({ url: req.url, messages: asked.messages.length, answer: why ? 400 : 200, why, holds: body.includes("zucchini") }) + "\n");
		if (why) {
			res.writeHead(400, { "content-type": "application/json" });
			return res.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: why } }));
		}
		res.writeHead(200, { "content-type": asked.stream ? "text/event-stream" : "application/json" });
		res.end(req.url.includes("/messages") ? anthropic(asked.stream) : chat(asked.stream));
	});
});
server.listen(0, "127.0.0.1", () => writeFileSync(portFile, String(server.address().port)));
