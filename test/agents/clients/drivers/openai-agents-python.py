import asyncio
import json

from agents import Agent, FunctionTool, ModelSettings, OpenAIProvider, RunConfig, Runner, set_tracing_disabled
from task import instructions, key, model, parameters, print_file, prompt, report, streamed, tool_description, tool_name, url, wire

set_tracing_disabled(True)


async def call(_context, arguments):
    return print_file(**json.loads(arguments))


async def main():
    provider = OpenAIProvider(api_key=key, base_url=f"{url}/v1", use_responses=wire != "chat")
    stateless = ModelSettings(store=False, response_include=["reasoning.encrypted_content"])
    settings = stateless if wire == "responses" else ModelSettings(include_usage=True)
    tool = FunctionTool(tool_name, tool_description, parameters, call)
    agent = Agent(name="Reader", instructions=instructions, model=model, model_settings=settings, tools=[tool])
    config = RunConfig(model_provider=provider)
    if streamed:
        result = Runner.run_streamed(agent, prompt, run_config=config)
        async for _ in result.stream_events():
            pass
    else:
        result = await Runner.run(agent, prompt, run_config=config)
    usages = [reply.usage for reply in result.raw_responses]
    used = [(usage.input_tokens, usage.input_tokens_details.cached_tokens, usage.output_tokens) for usage in usages]
    report(result.final_output, used)


asyncio.run(main())
