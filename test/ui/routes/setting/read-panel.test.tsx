// Covers src/ui/routes/setting/read.
// @vitest-environment happy-dom
/** The settings of an administrator below root: to read only (docs/rules/console.md#settings-screen). */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { optionTexts } from '../../../../src/core/i18n/en/option-texts.ts';
import {
  isSecretOption,
  optionDefinition,
  optionKeys,
  panelPages,
  panelsOf,
} from '../../../../src/core/options/index.ts';
import { optionsOf } from '../../../../src/ui/form/option-fields.ts';
import { SettingScreen } from '../../../../src/ui/routes/setting/index.tsx';
import { defaultTextOf, sampleOf } from '../../../support/option-samples.ts';
import { onCall, prepareConsole, prepareUser, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(10);

const texts: Readonly<Record<string, string>> = optionTexts;
const placeOf = (key: string) => document.getElementById(key)?.textContent ?? '';
beforeEach(() => {
  onCall('GET /api/option/', () =>
    optionKeys.map((key) =>
      isSecretOption(key)
        ? { key, value: '', configured: true }
        : { key, value: sampleOf(key), default: defaultTextOf(key) },
    ),
  );
});

describe('an administrator below root', () => {
  it('sees every panel and option of the settings, and no control that changes one', async () => {
    let seen = 0;
    for (const page of panelPages) {
      const keys = panelsOf(page).flatMap((panel) => {
        const { switches, fields } = optionsOf(panel);
        return [...switches, ...fields];
      });
      if (keys.length === 0) continue;
      show(<SettingScreen />, `/setting?tab=${page}`);
      await screen.findByText('Only the super admin can change them. Secrets are hidden.');
      await screen.findByRole('navigation', { name: 'Sections of this page' });
      for (const key of keys) expect(placeOf(key)).toContain(texts[`option.${key}.label`]);
      seen += keys.length;
      const main = screen.getByRole('tabpanel');
      expect(
        main.querySelectorAll('input, textarea, select, button, [contenteditable]'),
      ).toHaveLength(0);
      cleanup();
    }
    const built = optionKeys.filter((key) => optionDefinition(key).built);
    expect(seen).toBe(built.length);
    expect(sent.every(({ call }) => call.startsWith('GET '))).toBe(true);
  });

  it('reads values in words: switches, choices, lists, quota, defaults; of secrets that they are saved', async () => {
    show(<SettingScreen />, '/setting?tab=system#SMTPToken');
    await screen.findByRole('heading', { name: 'Mail (SMTP)' });
    expect(placeOf('SMTPToken')).toContain('Saved');
    expect(placeOf('RegisterEnabled')).toContain('off Default: on');
    expect(placeOf('EmailDomainWhitelist')).toContain('first.example, second.example');
    expect(placeOf('SiteLanguage')).toContain('English Default: Chinese');
    cleanup();
    show(<SettingScreen />, '/setting#QuotaForNewUser');
    await screen.findByRole('heading', { name: 'Groups' });
    expect(placeOf('QuotaForNewUser')).toContain('Default: 0');
    expect(placeOf('PreConsumedQuota')).not.toContain('$');
  });

  it('finds settings by search, and folds long texts', async () => {
    const prices = JSON.stringify(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`model-${index}`, 1.5])),
    );
    onCall('GET /api/option/', () => [{ key: 'ModelRatio', value: prices }]);
    const router = show(<SettingScreen />, '/setting');
    await screen.findByText('Show the value');
    expect(placeOf('ModelRatio')).toContain('"model-39": 1.5');
    const field = await screen.findByRole('combobox', { name: 'Search settings' });
    fireEvent.change(field, { target: { value: 'SMTPPort' } });
    await screen.findAllByRole('option');
    fireEvent.keyDown(field, { key: 'Enter' });
    await screen.findByRole('heading', { name: 'Mail (SMTP)' });
    expect(router.state.location.hash).toBe('#SMTPPort');
    expect(placeOf('SMTPPort')).toContain('SMTP port');
  });
});
