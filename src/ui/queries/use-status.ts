/**
 * The server status: what every page needs to know about the site, kept in local storage as well.
 */
import { useQuery } from '@tanstack/react-query';
import type { serverStatus } from '../../core/contract/system.ts';
import { isObject } from '../../core/kernel/json.ts';
import type { z } from '../../core/kernel/zod.ts';
import { readStoredJson, storageKeys, writeStored } from '../browser/local-storage.ts';
import { client } from '../client/api.ts';
import { queryKeys } from './query-keys.ts';

export type ServerStatus = z.input<typeof serverStatus>;

/**
 * Copies the status to the keys that scripts written for New API read
 * (docs/rules/console.md#browser-storage).
 */
function storeStatus(status: ServerStatus): void {
  writeStored(storageKeys.status, JSON.stringify(status));
  writeStored(storageKeys.systemName, status.system_name);
  writeStored(storageKeys.logo, status.logo);
  writeStored(storageKeys.footerHtml, status.footer_html);
  writeStored(storageKeys.quotaPerUnit, String(status.quota_per_unit));
  writeStored(storageKeys.displayInCurrency, String(status.display_in_currency));
  writeStored(storageKeys.docsLink, status.docs_link);
  writeStored(storageKeys.chats, JSON.stringify(status.chats));
  writeStored(storageKeys.enableDataExport, String(status.enable_data_export));
  writeStored(storageKeys.enableTask, String(status.enable_task));
  writeStored(storageKeys.enableDrawing, String(status.enable_drawing));
  writeStored(storageKeys.mjNotifyEnabled, String(status.mj_notify_enabled));
  writeStored(storageKeys.defaultCollapsed, String(status.default_collapse_sidebar));
}

function storedStatus(): ServerStatus | undefined {
  const value = readStoredJson(storageKeys.status);
  return isObject(value) && typeof value['quota_per_unit'] === 'number'
    ? (value as ServerStatus)
    : undefined;
}

export const statusQuery = {
  queryKey: queryKeys.status,
  queryFn: async () => {
    const status = await client.system.status();
    storeStatus(status);
    return status;
  },
  staleTime: 60_000,
  meta: { isOfSite: true },
};

export function useStatusQuery() {
  return useQuery({ ...statusQuery, placeholderData: storedStatus });
}

/** Whether visitors may register (docs/rules/accounts.md#registration). */
export function isRegistrationOpen(status: ServerStatus | undefined): boolean {
  return (
    status?.register_enabled === true && status.password_register && !status.self_use_mode_enabled
  );
}

/** The status; undefined only before the very first answer. */
export function useStatus(): ServerStatus | undefined {
  return useStatusQuery().data;
}
