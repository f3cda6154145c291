/** Channel types of later releases of New API: its other numbers are ours. */
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type { DraftRow } from './mapping.ts';

const openai = 1;
const custom = 8;

/** Vendors that no type of ours speaks with. */
const unsupported: Readonly<Record<number, string>> = {
  49: 'Coze',
  50: 'Kling',
  51: 'Jimeng',
  52: 'Vidu',
  54: 'Doubao video',
  55: 'Sora',
  56: 'Replicate',
  57: 'Codex',
};
/** Submodel speaks OpenAI's API at this address. */
const submodel = { type: 53, address: 'https://llm.submodel.ai' };

/**
 * Returns the name of a vendor that is not supported; its channel becomes Custom, disabled, to be
 * set up by hand.
 */
export function moveNewApiChannel(row: DraftRow): string | undefined {
  const type = Number(row['type']);
  if (type === submodel.type) {
    row['type'] = openai;
    row['base_url'] = row['base_url'] || submodel.address;
    return undefined;
  }
  const name = unsupported[type];
  if (name === undefined) return undefined;
  row['type'] = custom;
  row['status'] = channelStatuses.disabled;
  return name;
}
