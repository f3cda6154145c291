/**
 * Everything the console keeps in the browser (docs/rules/console.md#browser-storage). Names are
 * part of the contract.
 */

export const storageKeys = {
  user: 'user',
  status: 'status',
  systemName: 'system_name',
  logo: 'logo',
  footerHtml: 'footer_html',
  quotaPerUnit: 'quota_per_unit',
  displayInCurrency: 'display_in_currency',
  docsLink: 'docs_link',
  enableDataExport: 'enable_data_export',
  enableTask: 'enable_task',
  enableDrawing: 'enable_drawing',
  mjNotifyEnabled: 'mj_notify_enabled',
  pageSize: 'page-size',
  theme: 'theme-mode',
  language: 'i18nextLng',
  /** The site's starting state; the reader's own choice is `sidebarCollapsed`. */
  defaultCollapsed: 'default_collapse_sidebar',
  sidebarCollapsed: 'sidebar-collapsed',
  channelColumns: 'channels-table-columns',
  tokenColumns: 'tokens-table-columns',
  budgetColumns: 'budgets-table-columns',
  conversationColumns: 'conversations-table-columns',
  redemptionColumns: 'redemptions-table-columns',
  auditColumns: 'audit-table-columns',
  nodeColumns: 'nodes-table-columns',
  userColumns: 'users-table-columns',
  logColumns: 'logs-table-columns',
  drawingColumns: 'drawings-table-columns',
  taskColumns: 'tasks-table-columns',
  unfinishedVideos: 'unfinished-video-tasks',
  topUpColumns: 'topups-table-columns',
  squareFiltersHidden: 'model-square-filters-hidden',
  managedModelColumns: 'model-square-table-columns',
  pricingColumns: 'pricing-table-columns',
  priceColumns: 'prices-table-columns',
  unpricedColumns: 'unpriced-table-columns',
  channelIdSort: 'id-sort',
  channelModels: 'channel_models',
  invite: 'aff',
  tokenBannerClosed: 'token-banner-closed',
  /** Names the notice that was shown last. */
  notice: 'notice',
  playgroundChats: 'playground-chats',
  chats: 'chats',
} as const;
export type StorageKey = (typeof storageKeys)[keyof typeof storageKeys];

/**
 * The reader's own choices belong to the device and outlive a login, so does what it has shown; an
 * invite code waits for a registration.
 */
const kept: readonly StorageKey[] = [
  storageKeys.theme,
  storageKeys.language,
  storageKeys.invite,
  storageKeys.notice,
];

/** A browser may forbid storage altogether; the console then simply forgets. */
export function readStored(key: StorageKey): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: StorageKey, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is left.
  }
}

export function removeStored(key: StorageKey): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing is stored where storage is forbidden.
  }
}

/** A JSON value, or undefined when there is none or it cannot be read. */
export function readStoredJson(key: StorageKey): unknown {
  const text = readStored(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Logging out and an expired login clear the storage; theme and language stay
 * (docs/rules/console.md#browser-storage).
 */
export function clearStored(): void {
  const choices = kept.map((key) => [key, readStored(key)] as const);
  try {
    // The files of the same chats.
    window.indexedDB?.deleteDatabase(storageKeys.playgroundChats);
    window.localStorage.clear();
  } catch {
    return;
  }
  for (const [key, value] of choices) if (value !== null) writeStored(key, value);
}
