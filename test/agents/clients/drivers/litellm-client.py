"""LiteLLM as a client: OpenAI's chat and Responses, messages and Gemini, in its own chat form."""
import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # noqa: E402
from task import instructions, key, model, parameters, print_file, prompt, report, streamed, tool_description, tool_name, url, wire  # noqa: E402

litellm.suppress_debug_info = True
targets = {
    "chat": {"model": f"openai/{model}", "api_base": f"{url}/v1"},
    "responses": {"model": f"openai/responses/{model}", "api_base": f"{url}/v1"},
    "messages": {"model": f"anthropic/{model}", "api_base": url, "max_tokens": 4000},
    "gemini": {"model": f"gemini/{model}", "api_base": f"{url}/v1beta"},
}
tools = [{"type": "function", "function": {"name": tool_name, "description": tool_description, "parameters": parameters}}]
messages = [{"role": "system", "content": instructions}, {"role": "user", "content": prompt}]


def reasoning(parts):
    return [item for part in parts for item in getattr(part, "reasoning_items", None) or []]


def ask():
    """The reply as a message of the history, the message, and the usage."""
    request = {"messages": messages, "tools": tools, "api_key": key, "num_retries": 0, "max_retries": 0, **targets[wire]}
    if not streamed:
        reply = litellm.completion(**request)
        parts = [choice.message for choice in reply.choices]
    else:
        chunks = list(litellm.completion(**request, stream=True, stream_options={"include_usage": True}))
        reply = litellm.stream_chunk_builder(chunks, messages=messages)
        parts = [choice.delta for chunk in chunks for choice in chunk.choices]
    # Of a Responses reply in one piece, text and calls are a choice each.
    message = next((choice.message for choice in reply.choices if choice.message.tool_calls), reply.choices[0].message)
    # The thinking of a Responses reply stands in another choice, or is lost where chunks are joined.
    return {**message.model_dump(), "reasoning_items": reasoning(parts) or None}, message, reply.usage


used = []
for _ in range(8):
    history, message, usage = ask()
    details = getattr(usage, "prompt_tokens_details", None)
    used.append((usage.prompt_tokens, getattr(details, "cached_tokens", 0), usage.completion_tokens))
    messages.append(history)
    if not message.tool_calls:
        break
    for call in message.tool_calls:
        output = print_file(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": output})
report(message.content, used)
