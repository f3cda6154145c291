/**
 * Name, logo and texts of the site, each with a preview of what visitors will see; above them the
 * running version.
 */

import { Suspense } from 'react';
import type { OptionKey, PanelId } from '../../../../core/options/facts.ts';
import { latePart } from '../../../client/late-part.ts';
import { OptionPanel } from '../../../form/option-panel.tsx';
import type { OptionForm } from '../../../form/use-option-form.ts';
import { loadTextPart } from '../../../i18n/index.ts';

const VersionPanel = latePart(async () => {
  const [module] = await Promise.all([import('./version-panel.tsx'), loadTextPart('content')]);
  return { default: module.VersionPanel };
});
const ContentPreview = latePart(async () => {
  const [module] = await Promise.all([import('./content-preview.tsx'), loadTextPart('content')]);
  return { default: module.ContentPreview };
});

const previewed: ReadonlySet<OptionKey> = new Set<OptionKey>([
  'Notice',
  'HomePageContent',
  'About',
  'Footer',
  'Logo',
]);

export function ContentSection({
  panel,
  form,
}: {
  readonly panel: PanelId;
  readonly form: OptionForm;
}) {
  return (
    <>
      <Suspense fallback={null}>
        <VersionPanel />
      </Suspense>
      <OptionPanel
        panel={panel}
        form={form}
        below={(option) =>
          previewed.has(option) && (
            <Suspense fallback={null}>
              <ContentPreview option={option} text={form.text(option)} />
            </Suspense>
          )
        }
      />
    </>
  );
}
