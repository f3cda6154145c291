/**
 * Where an option is shown in the settings: page (the tabs of docs/rules/options.md#panels) and
 * section, in display order. Their names are the i18n texts `panel.<page>` and
 * `panel.<page>.<section>`.
 */
export const panels = {
  operation: [
    'general',
    'log',
    'dashboard',
    'monitoring',
    'quota',
    'ledger',
    'chats',
    'groups',
    'prices',
    'sensitive',
    'drawing',
  ],
  ratelimit: ['requests'],
  models: ['global', 'affinity', 'gemini', 'claude', 'video', 'sync'],
  system: [
    'server',
    'login',
    'worker',
    'payment',
    'wechat-pay',
    'email-domains',
    'smtp',
    'github',
    'wechat',
    'telegram',
    'linuxdo',
    'oidc',
    'turnstile',
    'sms',
    'messages',
  ],
  other: ['content', 'legacy'],
} as const;

export type PanelPage = keyof typeof panels;
export type PanelId = {
  [Page in PanelPage]: `${Page}.${(typeof panels)[Page][number]}`;
}[PanelPage];

export const panelPages = Object.keys(panels) as readonly PanelPage[];

export function panelPageOf(panel: PanelId): PanelPage {
  return panel.slice(0, panel.indexOf('.')) as PanelPage;
}

/** The sections of a page, in order. */
export function panelsOf(page: PanelPage): readonly PanelId[] {
  return panels[page].map((section) => `${page}.${section}` as PanelId);
}
