// Covers src/ui/routes/setting/content.
// @vitest-environment happy-dom
/**
 * Generated from the declarations: each option has its control on the settings page, which shows
 * what is stored and saves what is typed (docs/rules/console.md#settings-screen).
 */
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { optionTexts } from '../../../../src/core/i18n/en/option-texts.ts';
import {
  isSecretOption,
  type OptionKey,
  optionDefinition,
  optionKeys,
  type PanelId,
  panelPages,
  panelsOf,
} from '../../../../src/core/options/index.ts';
import { formText, optionsOf } from '../../../../src/ui/form/option-fields.ts';
import { OptionPanel } from '../../../../src/ui/form/option-panel.tsx';
import { useOptions } from '../../../../src/ui/queries/use-options.ts';
import { SettingScreen } from '../../../../src/ui/routes/setting/index.tsx';
import { useGuardedForm } from '../../../../src/ui/routes/setting/use-guarded-form.ts';
import { defaultTextOf, sampleOf } from '../../../support/option-samples.ts';
import { onCall, prepareConsole, prepareUser, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(100);
// Loaded on demand: compiling them takes longer than a test waits.
beforeAll(async () => {
  await import('../../../../src/ui/form/form-field.tsx');
  await import('../../../../src/ui/form/secret-field.tsx');
  await import('../../../../src/ui/form/option-problem.ts');
  await import('../../../../src/ui/routes/setting/prices/index.tsx');
});

const texts: Readonly<Record<string, string>> = optionTexts;
const labelOf = (key: OptionKey) => texts[`option.${key}.label`] ?? key;
const hasOptions = (panel: PanelId) =>
  optionsOf(panel).switches.length + optionsOf(panel).fields.length > 0;

const stored = new Map<string, string>();
const store = (key: string, value: unknown) => void stored.set(key, String(value));
const rowOf = (key: OptionKey) => {
  if (isSecretOption(key))
    return stored.has(key) ? { key, value: '', configured: true } : undefined;
  const [value, preset] = [stored.get(key) ?? defaultTextOf(key), defaultTextOf(key)];
  return value === preset ? { key, value } : { key, value, default: preset };
};

beforeEach(() => {
  stored.clear();
  onCall('GET /api/option/', () => optionKeys.flatMap((key) => rowOf(key) ?? []));
  onCall('GET /api/channel/models_enabled', () => []);
  onCall('POST /api/turnpike/losses/below_cost', () => []);
  onCall('PUT /api/option/', (body) => {
    const { key, value } = body as { key: string; value: unknown };
    store(key, value);
  });
  onCall('PUT /api/turnpike/option', (body) => {
    for (const { key, value } of (body as { values: { key: string; value: string }[] }).values)
      store(key, value);
  });
});
const writes = () => sent.filter(({ call }) => call.startsWith('PUT'));

async function placeOf(id: string): Promise<HTMLElement> {
  return waitFor(() => {
    const place = document.getElementById(id);
    if (place === null) throw new Error(`${id} has no place on the page`);
    return place;
  });
}

describe('every page', () => {
  it.each(panelPages)('%s has its panels, each with an address', async (page) => {
    const panels = panelsOf(page).filter(hasOptions);
    // A fragment leads to its page by itself.
    show(<SettingScreen />, `/setting#${panels.at(-1)}`);
    for (const panel of panels) {
      const title = within(await placeOf(panel)).getAllByRole('heading', {
        level: 2,
      })[0] as HTMLElement;
      expect(within(title).getByRole('link').getAttribute('href')).toBe(
        `/setting?tab=${page}#${panel}`,
      );
    }
  });
});

/** One panel by itself, with a button for the save bar. */
function PanelAlone({ panel }: { readonly panel: PanelId }) {
  const { data } = useOptions();
  return data && <LoadedPanel panel={panel} options={data} />;
}

function LoadedPanel({
  panel,
  options,
}: {
  panel: PanelId;
  options: Parameters<typeof useGuardedForm>[0];
}) {
  const form = useGuardedForm(options);
  return (
    <>
      <OptionPanel panel={panel} form={form} />
      <button type="button" onClick={() => void form.save()}>
        Save all
      </button>
    </>
  );
}

// The price tables are edited in a table of their own (price-area.test.tsx).
const drawn = panelPages
  .flatMap(panelsOf)
  .filter((panel) => hasOptions(panel) && panel !== 'operation.prices');

/** Switches whose other state is asked about first. */
const asked = new Set<OptionKey>(['PasswordLoginEnabled', 'DemoSiteEnabled']);

describe('the switches of', () => {
  it.each(drawn.filter((panel) => optionsOf(panel).switches.length > 0))(
    '%s save at once',
    async (panel) => {
      show(<PanelAlone panel={panel} />, '/setting');
      for (const key of optionsOf(panel).switches) {
        sent.length = 0;
        const control = within(await placeOf(key)).getByRole('switch', {
          name: labelOf(key),
        }) as HTMLInputElement;
        const before = optionDefinition(key).default === true;
        expect([key, control.checked]).toEqual([key, before]);
        fireEvent.click(control);
        if (asked.has(key)) {
          const question = await screen.findByRole('alertdialog');
          expect([key, writes()]).toEqual([key, []]);
          fireEvent.click(within(question).getAllByRole('button').at(-1) as HTMLElement);
        }
        await waitFor(() =>
          expect(writes()).toEqual([{ call: 'PUT /api/option/', body: { key, value: !before } }]),
        );
        await waitFor(() => expect([key, control.checked]).toEqual([key, !before]));
      }
    },
  );
});

const controlOf = (place: HTMLElement) =>
  place.querySelector<HTMLInputElement>('textarea, input:not([type="hidden"])');
const isTags = (key: OptionKey) =>
  optionDefinition(key).kind === 'list' && optionDefinition(key).separator === ',';

/** Writes a text into the option's control as a person does, and returns what is to be sent. */
async function enter(key: OptionKey): Promise<string> {
  const value = sampleOf(key);
  const { choices } = optionDefinition(key);
  const place = await placeOf(key);
  const control = await waitFor(() => {
    const found = controlOf(place);
    if (found === null) throw new Error(`${key} has no control`);
    return found;
  });
  expect(
    within(place).getAllByText((text) => text.startsWith(labelOf(key))).length,
  ).toBeGreaterThan(0);
  if (choices !== undefined) {
    fireEvent.focus(control);
    const list = await waitFor(() => {
      const found = controlOf(place);
      if (found === null || found === control) throw new Error('the list is not loaded yet');
      return found;
    });
    fireEvent.click(list);
    const offered = await within(place.ownerDocument.body).findAllByRole('option');
    fireEvent.click(offered[choices.indexOf(value)] as HTMLElement);
    return value;
  }
  if (!isTags(key)) {
    fireEvent.change(control, { target: { value } });
    return value;
  }
  // The placeholder of the list has the same name as the list.
  const list = await within(place).findByLabelText(labelOf(key), { selector: 'input' });
  list.focus();
  for (const entry of value.split(',')) {
    fireEvent.change(list, { target: { value: entry } });
    fireEvent.keyDown(list, { key: 'Enter' });
  }
  const kept = defaultTextOf(key).split(',');
  return [...kept, ...value.split(',').filter((entry) => !kept.includes(entry))].join(',');
}

describe('the fields of', () => {
  it.each(drawn.filter((panel) => optionsOf(panel).fields.length > 0))(
    '%s save what is typed, and show it',
    async (panel) => {
      show(<PanelAlone panel={panel} />, '/setting');
      const { fields } = optionsOf(panel);
      const entered: { readonly key: OptionKey; readonly value: string }[] = [];
      for (const key of fields) entered.push({ key, value: await enter(key) });
      fireEvent.click(screen.getByRole('button', { name: 'Save all' }));
      // A change of the unit of quota is asked about first.
      if (fields.includes('QuotaPerUnit')) {
        const question = await screen.findByRole('alertdialog');
        fireEvent.click(within(question).getAllByRole('button').at(-1) as HTMLElement);
      }
      await waitFor(() => expect(writes()).toHaveLength(1));
      expect(writes()[0]).toEqual({ call: 'PUT /api/turnpike/option', body: { values: entered } });
      cleanup();
      show(<PanelAlone panel={panel} />, '/setting');
      for (const { key, value } of entered) {
        const place = await placeOf(key);
        if (isSecretOption(key)) {
          await within(place).findByRole('button', { name: `Clear ${labelOf(key)}` });
          expect(document.body.innerHTML).not.toContain(value);
          continue;
        }
        within(place).getByRole('button', { name: `Use the default of ${labelOf(key)}` });
        if (optionDefinition(key).choices !== undefined || isTags(key)) continue;
        const shown = (await waitFor(() => controlOf(place) as HTMLInputElement)).value;
        expect([key, shown.replaceAll(',', '')]).toEqual([
          key,
          formText(key, value).replaceAll(',', ''),
        ]);
      }
    },
  );
});
