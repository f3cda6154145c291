/**
 * Tools that a vendor runs or defines: none is left out in silence
 * (docs/rules/formats.md#hosted-tools).
 */
import type { ChatRequest, HostedTool, Tool } from '../../canonical/chat.ts';
import { listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';

/** The tool as its caller calls it. */
function nameOf(tool: HostedTool): string {
  if (tool.type !== 'foreign') return textOf(tool.options.type) ?? tool.type;
  const raw = recordOf(tool.raw) ?? {};
  // Gemini names a tool by the member that declares it.
  return textOf(raw.type) ?? Object.keys(raw)[0] ?? 'tool';
}

/** Servers of the Model Context Protocol that Claude's vendor would call: a field beside the tools. */
function remoteServers({ origin, extra }: ChatRequest): readonly HostedTool[] {
  return origin === 'anthropic-messages' && listOf(extra.mcp_servers).length > 0
    ? [{ type: 'foreign', origin, raw: { type: 'mcp_servers' } }]
    : [];
}

function isHosted(tool: Tool): tool is HostedTool {
  return tool.type !== 'function';
}

/**
 * The request with the tools that the provider has. Of the others those are left out that are
 * optional, or that the channel leaves out (`leave_out_tools`). Throws
 * AppError('unsupported_feature') for the first of the rest: another channel may have it.
 */
export function withTakenTools(
  request: ChatRequest,
  { takesTool }: Pick<OperationAdapter<'chat'>, 'takesTool'>,
  call: Call,
  rules: Pick<ChannelRules, 'leavesOutTools'>,
): ChatRequest {
  const { tools = [] } = request;
  const hosted = [...tools.filter(isHosted), ...remoteServers(request)];
  if (hosted.length === 0 || request.toolChoice?.type === 'none') return request;
  const missing = new Set<Tool>(hosted.filter((tool) => takesTool?.(tool, request, call) !== true));
  if (missing.size === 0) return request;
  for (const tool of hosted) {
    const isOptional = rules.leavesOutTools || (tool.type === 'foreign' && tool.optional === true);
    if (missing.has(tool) && !isOptional)
      throw new AppError('unsupported_feature', { detail: `the tool ${nameOf(tool)}` });
  }
  const taken = tools.filter((tool) => !missing.has(tool));
  return { ...request, tools: taken.length > 0 ? taken : undefined };
}
