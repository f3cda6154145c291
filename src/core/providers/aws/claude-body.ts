/**
 * A messages body as Bedrock takes it: what its direct interface knows and this one refuses
 * (docs/rules/providers.md#bedrock-claude).
 */

import type { HostedTool } from '../../canonical/chat.ts';
import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { compact, listOf, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { isOwnTool } from '../anthropic/encode-chat.ts';
import { claudeGeneration } from '../anthropic/model-rules.ts';
import { betasOf } from '../anthropic-messages/request.ts';
import { generationName } from './models.ts';

const bedrockVersion = 'bedrock-2023-05-31';

/** Betas that Bedrock knows; any other is a 400 for the whole request. */
const knownBetas = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'output-128k-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'dev-full-thinking-2025-05-14',
  'fine-grained-tool-streaming-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
  'compact-2026-01-12',
]);
const renamedBetas: Readonly<Record<string, string>> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
};
const effortBeta = 'effort-2025-11-24';

/** Tools that Anthropic runs on its own servers. */
const serverTools = ['web_search_', 'web_fetch_', 'code_execution_', 'mcp_toolset'];
/** Fields of tools that only the direct interface knows. */
const foreignToolFields = new Set(['eager_input_streaming', 'allowed_callers']);
/** Prefix of a text that Claude Code puts before its system prompt. */
const billingHeader = 'x-anthropic-billing-header:';

type Fields = Pick<BodyFields, 'get' | 'contains'>;
type Edits = Record<string, JsonValue | undefined>;

/**
 * Of the caller's betas those that Bedrock knows, all that the site adds, and what the body needs.
 */
function writeBetas(
  fields: Fields,
  call: Call,
  requested: string | undefined,
): JsonValue | undefined {
  const { caller, added } = betasOf(call, requested);
  const own = listOf(fields.get('anthropic_beta')).flatMap((beta) => textOf(beta) ?? []);
  const known = [...caller, ...own]
    .map((beta) => renamedBetas[beta] ?? beta)
    .filter((beta) => knownBetas.has(beta));
  const effort =
    recordOf(fields.get('output_config'))?.effort !== undefined &&
    claudeGeneration(generationName(call.model)) < 4.6;
  const betas = [...new Set([...known, ...added, ...(effort ? [effortBeta] : [])])];
  return betas.length > 0 ? betas : undefined;
}

/** Without the lifetimes of cache marks, which models before 4.5 do not know. */
function withPlainMarks(block: JsonValue): JsonValue {
  if (!isObject(block)) return block;
  const given = block as JsonObject;
  const mark = recordOf(given.cache_control);
  const content = mapChanged(given.content, withPlainMarks);
  if (mark?.ttl === undefined && content === undefined) return block;
  return compact({
    ...given,
    cache_control: mark === undefined ? undefined : { type: 'ephemeral' },
    content: content ?? given.content,
  });
}

function isServerTool(type: string): boolean {
  return serverTools.some((start) => type.startsWith(start));
}

/** Bedrock has the tools that Claude knows and callers run, and none of Anthropic's servers. */
export function takesInvokedTool(tool: HostedTool): boolean {
  const type = isOwnTool(tool) && isObject(tool.raw) ? textOf(tool.raw.type) : undefined;
  return type !== undefined && !isServerTool(type);
}

function writeTool(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool;
  const type = textOf(tool.type) ?? '';
  if (isServerTool(type))
    throw new AppError('unsupported_feature', { detail: `${textOf(tool.name) ?? type} (Bedrock)` });
  const fields = Object.entries(tool as JsonObject);
  return fields.some(([name]) => foreignToolFields.has(name))
    ? Object.fromEntries(fields.filter(([name]) => !foreignToolFields.has(name)))
    : (tool as JsonObject);
}

function writeToolChoice(choice: Record<string, unknown>): JsonValue {
  const kept = ['type', 'name', 'disable_parallel_tool_use'].flatMap((name) =>
    choice[name] === undefined ? [] : [[name, choice[name] as JsonValue] as const],
  );
  return Object.fromEntries(kept);
}

function isBilling(block: JsonValue): boolean {
  return isObject(block) && textOf(block.text)?.startsWith(billingHeader) === true;
}

/**
 * Fields without which Bedrock takes no body at all. `requested`: the model's name as the caller
 * wrote it.
 */
export function wireEdits(fields: Fields, call: Call, requested: string | undefined): Edits {
  return {
    model: undefined,
    stream: undefined,
    anthropic_version: bedrockVersion,
    anthropic_beta: writeBetas(fields, call, requested),
  };
}

/**
 * All changes a messages body needs. Throws AppError('unsupported_feature') for tools that only
 * Anthropic's servers run.
 */
export function claudeEdits(fields: Fields, call: Call, requested: string | undefined): Edits {
  const edits: Edits = {
    ...wireEdits(fields, call, requested),
    metadata: undefined,
    service_tier: undefined,
  };
  if (recordsOf(fields.get('mcp_servers')).length > 0)
    throw new AppError('unsupported_feature', { detail: 'mcp_servers (Bedrock)' });
  const choice = fields.get('tool_choice');
  if (isObject(choice)) edits.tool_choice = writeToolChoice(choice);
  const system = fields.get('system');
  if (Array.isArray(system) && system.some(isBilling)) {
    const kept = (system as readonly JsonValue[]).filter((block) => !isBilling(block));
    edits.system = kept.length > 0 ? kept : undefined;
  }
  const tools = mapChanged(fields.get('tools'), writeTool);
  if (tools !== undefined) edits.tools = tools;
  if (claudeGeneration(generationName(call.model)) < 4.5 && fields.contains?.('"ttl"') !== false) {
    for (const name of ['system', 'tools', 'messages']) {
      const plain = mapChanged(
        Object.hasOwn(edits, name) ? edits[name] : fields.get(name),
        withPlainMarks,
      );
      if (plain !== undefined) edits[name] = plain;
    }
  }
  return edits;
}
