import { useQuery } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { queryKeys } from './query-keys.ts';

/** Every option as the server has it now: texts by key, and the secret ones that are stored. */
export async function readOptions() {
  const rows = await client.option.list({ with_flags: true });
  return {
    texts: new Map(rows.map(({ key, value }) => [key, value])),
    stored: new Set(rows.filter((row) => row.configured).map(({ key }) => key)),
    /** Of options whose value is not their default. */
    defaults: new Map(
      rows.flatMap((row) => (row.default === undefined ? [] : [[row.key, row.default] as const])),
    ),
  };
}
export type StoredOptions = Awaited<ReturnType<typeof readOptions>>;

/** Of administrators. */
export function useOptions() {
  return useQuery({ queryKey: queryKeys.option.list, queryFn: readOptions });
}
