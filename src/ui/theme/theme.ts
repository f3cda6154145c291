/**
 * The look as Mantine understands it (docs/rules/console.md#look). Colours themselves stand in
 * tokens.css.
 */
import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { storageKeys } from '../browser/local-storage.ts';
import { pasteNumber } from './paste-number.ts';

const pike: MantineColorsTuple = [
  '#E8F4EF',
  '#CFE8DE',
  '#A2D4C0',
  '#74C7A8',
  '#43B38B',
  '#1B8F69',
  '#0A7C59',
  '#006B4D',
  '#00563E',
  '#00402E',
];
const gray: MantineColorsTuple = [
  '#F7F9F8',
  '#EFF3F1',
  '#E3E8E6',
  '#D2DAD6',
  '#BCC6C2',
  '#8F9B96',
  '#6A7771',
  '#55625C',
  '#33413B',
  '#13201B',
];
const dark: MantineColorsTuple = [
  '#E1E8E5',
  '#BAC5C0',
  '#97A49E',
  '#6C7973',
  '#34403B',
  '#26302C',
  '#1B2320',
  '#141B18',
  '#0E1412',
  '#090D0B',
];
const red: MantineColorsTuple = [
  '#FDECEA',
  '#F9D5D1',
  '#F2ABA4',
  '#EB8177',
  '#E5675B',
  '#E04B3E',
  '#D92D20',
  '#C4271B',
  '#A31F15',
  '#82170F',
];

const sans =
  '"Geist Variable", system-ui, -apple-system, "Segoe UI", "PingFang SC", "HarmonyOS Sans SC", MiSans, "Microsoft YaHei UI", "Noto Sans CJK SC", "Source Han Sans SC", sans-serif';
const mono =
  '"Geist Mono Variable", ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace';

/**
 * The list of a field scrolls by itself. Mantine's scroll area inside it is one more thing that
 * scrolls, which no key reaches.
 */
const choices = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

export const theme = createTheme({
  colors: { pike, gray, dark, red },
  primaryColor: 'pike',
  primaryShade: { light: 7, dark: 4 },
  black: '#13201B',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '14px' },
  defaultRadius: 'md',
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { variant: 'filled' } },
    NumberInput: { defaultProps: { hideControls: true, onPaste: pasteNumber } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 560,
        radius: 0,
        overlayProps: { backgroundOpacity: 0.32 },
        transitionProps: { duration: 180 },
      },
    },
    Modal: {
      defaultProps: {
        // Its title is no banner of the page.
        attributes: { header: { role: 'presentation' } },
        radius: 'lg',
        centered: true,
        overlayProps: { backgroundOpacity: 0.32 },
        transitionProps: { duration: 120 },
      },
    },
    Menu: {
      defaultProps: {
        radius: 'lg',
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120 },
      },
    },
    Autocomplete: choices,
    MultiSelect: choices,
    Select: choices,
    TagsInput: choices,
    Popover: { defaultProps: { radius: 'lg', transitionProps: { duration: 120 } } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--tp-sheet)',
  '--mantine-color-text': 'var(--tp-ink)',
  '--mantine-color-dimmed': 'var(--tp-dim)',
  '--mantine-color-placeholder': 'var(--tp-placeholder)',
  '--mantine-color-default': 'var(--tp-raised)',
  '--mantine-color-default-border': 'var(--tp-rule2)',
  '--mantine-color-default-hover': 'var(--tp-hover)',
  '--mantine-color-default-color': 'var(--tp-ink)',
  '--mantine-color-anchor': 'var(--tp-accent-text)',
  '--mantine-color-error': 'var(--tp-red-text)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
});

/** Light or dark, kept in local storage; the system's setting until the user chooses. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: storageKeys.theme });
