/** Every screen, once: path, who may see it, its place in the sidebar, and its lazy module. Router, guard and sidebar derive. */
import { Gauge, KeyRound, type LucideIcon, Network, ScrollText, Settings, UserRound, Wallet } from 'lucide-react';
import type { ComponentType } from 'react';
import { isAdmin, isRoot } from '../core/vocabulary/roles.ts';
import { loadTextPart, type TextKey } from './i18n/index.ts';

/** visitor: anybody, outside the shell unless `inShell`. user, admin, root: behind the guard, inside it. */
export type ScreenAccess = 'visitor' | 'user' | 'admin' | 'root';
export type SidebarGroup = 'console' | 'admin' | 'personal';

export interface ScreenRoute {
  readonly path: string;
  readonly access: ScreenAccess;
  /** A page for visitors and users alike, with the top bar and, for users, the sidebar. */
  readonly inShell?: boolean;
  readonly sidebar?: { readonly group: SidebarGroup; readonly label: TextKey; readonly icon: LucideIcon };
  readonly screen: () => Promise<ComponentType>;
}

export const sidebarGroups: readonly { readonly group: SidebarGroup; readonly label: TextKey }[] = [
  { group: 'console', label: 'shell.group.console' },
  { group: 'admin', label: 'shell.group.admin' },
  { group: 'personal', label: 'shell.group.personal' },
];

/** Whether a user of this role may see the screen. */
export function mayOpen(access: ScreenAccess, role: number): boolean {
  return access === 'root' ? isRoot(role) : access !== 'admin' || isAdmin(role);
}

export const screens: readonly ScreenRoute[] = [
  { path: '/setup', access: 'visitor', screen: async () => (await import('./routes/setup/index.tsx')).SetupScreen },
  { path: '/login', access: 'visitor', screen: async () => (await import('./routes/login/index.tsx')).LoginScreen },
  {
    path: '/pricing',
    access: 'visitor',
    inShell: true,
    screen: async () => {
      const [{ PricingScreen }] = await Promise.all([import('./routes/pricing/index.tsx'), loadTextPart('pricing')]);
      return PricingScreen;
    },
  },
  {
    path: '/detail',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.detail', icon: Gauge },
    screen: async () => (await import('./routes/detail/index.tsx')).DashboardScreen,
  },
  {
    path: '/token',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.token', icon: KeyRound },
    screen: async () => (await import('./routes/token/index.tsx')).TokenScreen,
  },
  {
    path: '/log',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.log', icon: ScrollText },
    screen: async () => (await import('./routes/log/index.tsx')).LogScreen,
  },
  {
    path: '/topup',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.topup', icon: Wallet },
    screen: async () => {
      const [{ WalletScreen }] = await Promise.all([import('./routes/topup/index.tsx'), loadTextPart('topup')]);
      return WalletScreen;
    },
  },
  {
    path: '/topup/history',
    access: 'user',
    screen: async () => {
      const [{ TopUpHistoryScreen }] = await Promise.all([import('./routes/topup/history/index.tsx'), loadTextPart('topup')]);
      return TopUpHistoryScreen;
    },
  },
  {
    path: '/channel',
    access: 'admin',
    sidebar: { group: 'admin', label: 'shell.item.channel', icon: Network },
    screen: async () => (await import('./routes/channel/index.tsx')).ChannelScreen,
  },
  {
    path: '/setting',
    access: 'root',
    sidebar: { group: 'admin', label: 'shell.item.setting', icon: Settings },
    screen: async () => {
      const [{ SettingScreen }] = await Promise.all([import('./routes/setting/index.tsx'), loadTextPart('prices')]);
      return SettingScreen;
    },
  },
  {
    path: '/personal',
    access: 'user',
    sidebar: { group: 'personal', label: 'shell.item.personal', icon: UserRound },
    screen: async () => {
      const [{ PersonalScreen }] = await Promise.all([import('./routes/personal/index.tsx'), loadTextPart('personal')]);
      return PersonalScreen;
    },
  },
];
