/**
 * Containers in which vendors ran code for a reply. They are paid for by the minute, whatever the
 * number of replies that use one (docs/rules/pricing.md#containers).
 */
import type { Usage, UsedContainer } from '../usage.ts';
import { type Loose, recordOf, textOf } from './read-json.ts';

/** `4g`, as OpenAI names sizes. */
const sizeName = /^[1-9]\d{0,2}g$/;
/** What is larger is no id. */
const longestId = 200;

/** OpenAI's default, which has no name of its own among prices. */
const usualSize = '1g';

/** The members of OpenAI's tools that say in what they run. */
const toolMembers: Readonly<Record<string, string>> = {
  code_interpreter: 'container',
  shell: 'environment',
};

/** The size that a tool of OpenAI asks for; undefined: the usual one, or that of a container's own. */
export function containerSize(tool: Loose | undefined): string | undefined {
  const member = toolMembers[textOf(tool?.type) ?? ''];
  const size = textOf(recordOf(member && tool?.[member])?.memory_limit);
  return size !== undefined && size !== usualSize && sizeName.test(size) ? size : undefined;
}

/** Of the output items of a Responses reply, which repeats the tools of its request. */
export function containersOf(
  items: readonly Loose[],
  tools: () => readonly Loose[],
): readonly UsedContainer[] | undefined {
  const found = new Map<string, UsedContainer>();
  for (const item of items) {
    const id = textOf(item.container_id) ?? textOf(recordOf(item.environment)?.container_id);
    if (id === undefined || id.length > longestId || found.has(id)) continue;
    const type = textOf(item.type)?.replace(/_call$/, '');
    found.set(id, { id, size: containerSize(tools().find((tool) => tool.type === type)) });
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** Usage of messages with the `container` that is named beside it. */
export function withContainer(usage: Usage | undefined, container: unknown): Usage | undefined {
  const id = textOf(recordOf(container)?.id);
  return id === undefined || id.length > longestId ? usage : { ...usage, containers: [{ id }] };
}
