/** What the console itself offers: its screens, and what can be begun anywhere. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  Info,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  ReceiptText,
  ScrollText,
  Sun,
  Tags,
  Zap,
} from 'lucide-react';
import { aboutPath, pricingPath } from '../../browser/paths.ts';
import { router } from '../../browser/router-handle.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { changeLanguage, currentLanguage, type TextKey, useTranslation } from '../../i18n/index.ts';
import { leaveAccount } from '../../queries/leave-account.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import { mayOpen, type ScreenAccess } from '../../routes.tsx';
import { offeredScreens } from '../offered-screens.ts';
import type { PaletteItem } from './items.ts';
import { showKeys } from './key-list.tsx';

/** Screens without a place in the sidebar. */
const others: readonly (readonly [string, ScreenAccess, TextKey, LucideIcon])[] = [
  [pricingPath, 'visitor', 'shell.pricing', Tags],
  ['/topup/history', 'user', 'palette.screen.topUps', ReceiptText],
  ['/statement', 'user', 'statement.title', ScrollText],
  [aboutPath, 'visitor', 'shell.about', Info],
];

export function useScreenItems(): readonly PaletteItem[] {
  const { t } = useTranslation();
  const role = useUser()?.role;
  const places = offeredScreens(role, useStatus()).flatMap(({ path, sidebar }) =>
    sidebar === undefined ? [] : [[path, t(sidebar.label), sidebar.icon] as const],
  );
  const rest = others
    .filter(([, access]) => access === 'visitor' || (role !== undefined && mayOpen(access, role)))
    .map(([path, , label, icon]) => [path, t(label), icon] as const);
  return [...places, ...rest].map(([path, label, icon]) => ({
    key: path,
    label,
    icon,
    // English words for readers of Chinese, too.
    words: path.replaceAll(/[/_]/g, ' '),
    act: path,
  }));
}

/** What begins with an empty form. */
const forms: readonly (readonly [string, ScreenAccess, TextKey])[] = [
  ['/token', 'user', 'palette.act.token'],
  ['/channel', 'admin', 'palette.act.channel'],
  ['/user', 'admin', 'palette.act.user'],
  ['/redemption', 'admin', 'palette.act.codes'],
  ['/budget', 'admin', 'palette.act.budget'],
];

export function useActItems(): readonly PaletteItem[] {
  const { t } = useTranslation();
  const user = useUser();
  const refreshChannels = useRefreshChannels();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const testAll = async () => {
    await client.channel.testAll();
    await router().navigate('/channel');
    await refreshChannels();
  };
  const may = (access: ScreenAccess) => user !== null && mayOpen(access, user.role);
  return [
    ...forms
      .filter(([, access]) => may(access))
      .map(([path, , label]) => ({
        key: `new ${path}`,
        label: t(label),
        words: `new ${path.slice(1)}`,
        icon: Plus,
        act: `${path}?new=1`,
      })),
    ...(may('admin')
      ? [
          {
            key: 'test all',
            label: t('palette.act.testAll'),
            words: 'test all channels',
            icon: Zap,
            act: () =>
              new Promise<void>((resolve, reject) =>
                confirmDanger({
                  title: t('palette.act.testAll.title'),
                  text: t('palette.act.testAll.text'),
                  confirm: t('palette.act.testAll.confirm'),
                  mild: true,
                  onConfirm: () => void testAll().then(resolve, reject),
                  onCancel: resolve,
                }),
              ),
          },
        ]
      : []),
    {
      key: 'theme',
      label: t(dark ? 'shell.theme.toLight' : 'shell.theme.toDark'),
      words: 'theme dark light',
      icon: dark ? Sun : Moon,
      act: () => setColorScheme(dark ? 'light' : 'dark'),
    },
    {
      key: 'language',
      label: t('palette.act.language'),
      words: 'language english 中文 语言',
      icon: Languages,
      act: () => changeLanguage(currentLanguage() === 'zh' ? 'en' : 'zh'),
    },
    {
      key: 'keys',
      label: t('palette.keys'),
      words: 'keyboard shortcuts',
      icon: Keyboard,
      act: showKeys,
    },
    ...(user === null
      ? []
      : [
          {
            key: 'log out',
            label: t('shell.logout'),
            words: 'log out sign out',
            icon: LogOut,
            act: async () => {
              // The login ends here even when the server cannot be reached.
              await client.auth.logout().catch(() => undefined);
              await leaveAccount(t('shell.logout.done'));
            },
          },
        ]),
  ];
}
