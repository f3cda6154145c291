import type { z } from '../../core/kernel/zod.ts';

/**
 * The first issue of each field of a schema from the contract: by field, the message, which is an
 * error code.
 */
export function issuesOf(schema: z.ZodType, values: unknown): Readonly<Record<string, string>> {
  const checked = schema.safeParse(values);
  if (checked.success) return {};
  const issues: Record<string, string> = {};
  for (const { path, message } of checked.error.issues) issues[String(path[0] ?? '')] ??= message;
  return issues;
}
