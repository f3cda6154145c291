import { expect, test, vi } from 'vitest';

/** Parts whose load ends when the test says so. */
const loads = vi.hoisted(() => ({ slow: Promise.withResolvers<Record<string, string>>() }));
vi.mock('../../../src/ui/i18n/parts.ts', () => ({
  textParts: {
    setting: { zh: () => loads.slow.promise, en: () => loads.slow.promise },
    log: {
      zh: async () => ({ 'log.title': '使用日志' }),
      en: async () => ({ 'log.title': 'Usage logs' }),
    },
    budget: {
      zh: () => Promise.reject(new Error('the file cannot be loaded')),
      en: async () => ({ 'budget.title': 'Budgets' }),
    },
    node: {
      zh: async () => ({ 'node.title': '节点' }),
      en: async () => ({ 'node.title': 'Gateways' }),
    },
    content: {
      zh: async () => ({ 'content.system': '系统信息' }),
      en: async () => ({ 'content.system': 'System' }),
    },
  },
}));

const { changeLanguage, currentLanguage, loadTextPart, startTexts, translate } = await import(
  '../../../src/ui/i18n/index.ts'
);

vi.stubGlobal('document', { documentElement: {} });
vi.stubGlobal('window', { localStorage: { getItem: () => null, setItem: () => undefined } });
test('parts that load at the same time do not overwrite each other, and a second reader waits for the first load', async () => {
  await startTexts();
  const setting = loadTextPart('setting');
  const content = loadTextPart('content');
  let waited = false;
  const again = loadTextPart('setting').then(() => {
    waited = true;
  });
  await Promise.resolve();
  expect(waited).toBe(false);
  loads.slow.resolve({ 'setting.title': '系统设置' });
  await Promise.all([setting, content, again]);
  expect(translate('content.system')).toBe('系统信息');
  expect(translate('setting.title')).toBe('系统设置');
});

test('a part that is needed while the language changes comes in the new language', async () => {
  await Promise.all([changeLanguage('en'), loadTextPart('log')]);
  expect(currentLanguage()).toBe('en');
  expect(translate('content.system')).toBe('System');
  expect(translate('log.title')).toBe('Usage logs');
});

test('a language whose texts cannot be loaded is not wanted any more', async () => {
  await changeLanguage('en');
  await loadTextPart('budget');
  await expect(changeLanguage('zh')).rejects.toThrow('the file cannot be loaded');
  expect(currentLanguage()).toBe('en');
  await loadTextPart('node');
  expect(translate('node.title')).toBe('Gateways');
  expect(currentLanguage()).toBe('en');
});
