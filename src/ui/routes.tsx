/**
 * Every screen, once: path, who may see it, its place in the sidebar, and its lazy module. Router,
 * guard and sidebar derive.
 */
import {
  Boxes,
  Clapperboard,
  FileClock,
  Gauge,
  Image,
  Images,
  KeyRound,
  LayoutGrid,
  ListMusic,
  type LucideIcon,
  MessageSquare,
  Network,
  ScrollText,
  Server,
  Settings,
  Target,
  Ticket,
  UserRound,
  Users,
  Wallet,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { isAdmin, isRoot } from '../core/vocabulary/roles.ts';
import type { TextKey } from './i18n/index.ts';
import type { TextPart } from './i18n/parts.ts';

/**
 * visitor: anybody, outside the shell unless `inShell`. user, admin, root: behind the guard, inside
 * it.
 */
export type ScreenAccess = 'visitor' | 'user' | 'admin' | 'root';
export type SidebarGroup = 'models' | 'playground' | 'console' | 'admin' | 'personal';

export interface ScreenRoute {
  readonly path: string;
  readonly access: ScreenAccess;
  /** A page for visitors and users alike, with the top bar and, for users, the sidebar. */
  readonly inShell?: boolean;
  readonly sidebar?: {
    readonly group: SidebarGroup;
    readonly label: TextKey;
    readonly icon: LucideIcon;
  };
  /** Where users who may not see it go instead. */
  readonly instead?: string;
  /** The texts that are loaded with the screen. */
  readonly texts?: readonly TextPart[];
  readonly screen: () => Promise<ComponentType>;
}

export const sidebarGroups: readonly { readonly group: SidebarGroup; readonly label: TextKey }[] = [
  { group: 'models', label: 'shell.group.models' },
  { group: 'playground', label: 'shell.group.playground' },
  { group: 'console', label: 'shell.group.console' },
  { group: 'admin', label: 'shell.group.admin' },
  { group: 'personal', label: 'shell.group.personal' },
];

/** Whether a user of this role may see the screen; undefined: a visitor. */
export function mayOpen(access: ScreenAccess, role: number | undefined): boolean {
  if (role === undefined) return access === 'visitor';
  return access === 'root' ? isRoot(role) : access !== 'admin' || isAdmin(role);
}

export const screens: readonly ScreenRoute[] = [
  {
    path: '/setup',
    access: 'visitor',
    texts: ['setup'],
    screen: async () => (await import('./routes/setup/index.tsx')).setupScreen(),
  },
  {
    path: '/login',
    access: 'visitor',
    texts: ['phone'],
    screen: async () => (await import('./routes/login/index.tsx')).LoginScreen,
  },
  {
    path: '/login/second-factor',
    access: 'visitor',
    texts: ['secondFactor'],
    screen: async () => (await import('./routes/login/second-factor/index.tsx')).SecondStepScreen,
  },
  {
    path: '/reset',
    access: 'visitor',
    texts: ['reset'],
    screen: async () => (await import('./routes/login/reset/index.tsx')).ResetScreen,
  },
  {
    path: '/not-me',
    access: 'visitor',
    texts: ['reset'],
    screen: async () => (await import('./routes/login/not-me/index.tsx')).NotMeScreen,
  },
  {
    path: '/register',
    access: 'visitor',
    texts: ['register', 'emailCode'],
    screen: async () => (await import('./routes/login/register/index.tsx')).RegisterScreen,
  },
  {
    path: '/',
    access: 'visitor',
    inShell: true,
    texts: ['content'],
    screen: async () => (await import('./routes/home/index.tsx')).HomeScreen,
  },
  {
    path: '/about',
    access: 'visitor',
    inShell: true,
    texts: ['content'],
    screen: async () => (await import('./routes/about/index.tsx')).AboutScreen,
  },
  {
    path: '/oauth/:provider',
    access: 'visitor',
    texts: ['identities'],
    screen: async () => (await import('./routes/oauth/index.tsx')).OauthScreen,
  },
  {
    path: '/pricing',
    access: 'visitor',
    inShell: true,
    texts: ['pricing'],
    screen: async () => (await import('./routes/pricing/index.tsx')).PricingScreen,
  },
  {
    path: '/model_square',
    access: 'visitor',
    inShell: true,
    sidebar: { group: 'models', label: 'shell.item.modelSquare', icon: LayoutGrid },
    texts: ['models', 'square'],
    screen: async () => (await import('./routes/model-square/index.tsx')).ModelSquareScreen,
  },
  {
    path: '/playground',
    access: 'user',
    sidebar: { group: 'playground', label: 'shell.item.playground', icon: MessageSquare },
    texts: ['playground'],
    screen: async () => (await import('./routes/playground/chat/index.tsx')).ChatPlayground,
  },
  {
    path: '/playground/image',
    access: 'user',
    sidebar: { group: 'playground', label: 'shell.item.playgroundImage', icon: Image },
    texts: ['playground'],
    screen: async () => (await import('./routes/playground/image/index.tsx')).ImagePlayground,
  },
  {
    path: '/playground/video',
    access: 'user',
    sidebar: { group: 'playground', label: 'shell.item.playgroundVideo', icon: Clapperboard },
    texts: ['playground', 'upload', 'taskLog', 'video'],
    screen: async () => (await import('./routes/playground/video/index.tsx')).VideoPlayground,
  },
  {
    path: '/chat/:id?',
    access: 'user',
    texts: ['chatRedirect'],
    screen: async () => (await import('./routes/chat-redirect/index.tsx')).ChatRedirect,
  },
  {
    path: '/chat2link',
    access: 'user',
    texts: ['chatRedirect'],
    screen: async () => (await import('./routes/chat-redirect/chat2link.tsx')).ChatLinkRedirect,
  },
  {
    path: '/detail',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.detail', icon: Gauge },
    texts: ['detail'],
    screen: async () => (await import('./routes/detail/index.tsx')).DashboardScreen,
  },
  {
    path: '/token',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.token', icon: KeyRound },
    texts: ['token'],
    screen: async () => (await import('./routes/token/index.tsx')).TokenScreen,
  },
  {
    path: '/budget',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.budget', icon: Target },
    texts: ['budget'],
    screen: async () => (await import('./routes/budget/index.tsx')).BudgetScreen,
  },
  {
    path: '/log',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.log', icon: ScrollText },
    texts: ['log'],
    screen: async () => (await import('./routes/log/index.tsx')).LogScreen,
  },
  {
    path: '/midjourney',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.midjourney', icon: Images },
    texts: ['taskLog'],
    screen: async () => (await import('./routes/task-log/drawings.tsx')).DrawingLogScreen,
  },
  {
    path: '/task',
    access: 'user',
    sidebar: { group: 'console', label: 'shell.item.task', icon: ListMusic },
    texts: ['taskLog'],
    screen: async () => (await import('./routes/task-log/tasks.tsx')).TaskLogScreen,
  },
  {
    path: '/topup',
    access: 'user',
    sidebar: { group: 'personal', label: 'shell.item.topup', icon: Wallet },
    texts: ['topup'],
    screen: async () => (await import('./routes/topup/index.tsx')).WalletScreen,
  },
  {
    path: '/topup/history',
    access: 'user',
    texts: ['topup'],
    screen: async () => (await import('./routes/topup/history/index.tsx')).TopUpHistoryScreen,
  },
  {
    path: '/topup/receipt',
    access: 'user',
    texts: ['receipt'],
    screen: async () => (await import('./routes/topup/receipt/index.tsx')).ReceiptScreen,
  },
  {
    path: '/statement',
    access: 'user',
    texts: ['statement'],
    screen: async () => (await import('./routes/statement/index.tsx')).StatementScreen,
  },
  {
    path: '/channel',
    access: 'admin',
    sidebar: { group: 'admin', label: 'shell.item.channel', icon: Network },
    texts: ['channel'],
    screen: async () => (await import('./routes/channel/index.tsx')).ChannelScreen,
  },
  {
    path: '/redemption',
    access: 'admin',
    sidebar: { group: 'admin', label: 'shell.item.redemption', icon: Ticket },
    texts: ['redemption'],
    screen: async () => (await import('./routes/redemption/index.tsx')).RedemptionScreen,
  },
  {
    path: '/user',
    access: 'admin',
    sidebar: { group: 'admin', label: 'shell.item.user', icon: Users },
    texts: ['user'],
    screen: async () => (await import('./routes/user/index.tsx')).UserScreen,
  },
  {
    path: '/model_square_management',
    access: 'admin',
    sidebar: { group: 'admin', label: 'shell.item.modelManagement', icon: Boxes },
    texts: ['models', 'modelManagement', 'upload'],
    screen: async () =>
      (await import('./routes/model-square-management/index.tsx')).ModelManagementScreen,
  },
  {
    path: '/node',
    access: 'root',
    sidebar: { group: 'admin', label: 'shell.item.node', icon: Server },
    texts: ['node'],
    screen: async () => (await import('./routes/node/index.tsx')).NodeScreen,
  },
  {
    path: '/audit',
    access: 'root',
    sidebar: { group: 'admin', label: 'shell.item.audit', icon: FileClock },
    texts: ['audit'],
    screen: async () => (await import('./routes/audit/index.tsx')).AuditScreen,
  },
  {
    path: '/setting',
    access: 'admin',
    instead: '/personal',
    sidebar: { group: 'admin', label: 'shell.item.setting', icon: Settings },
    texts: ['setting'],
    screen: async () => (await import('./routes/setting/index.tsx')).SettingScreen,
  },
  {
    path: '/personal',
    access: 'user',
    sidebar: { group: 'personal', label: 'shell.item.personal', icon: UserRound },
    texts: ['personal', 'account', 'phone'],
    screen: async () => (await import('./routes/personal/index.tsx')).PersonalScreen,
  },
];
