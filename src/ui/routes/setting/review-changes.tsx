/** What the save bar is about to save: each changed setting with its value before and after. */

import { Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';
import { openDialog } from '../../components/dialogs.ts';
import { LoadingRows } from '../../components/states.tsx';
import type { OptionForm } from '../../form/use-option-form.ts';
import { translate } from '../../i18n/index.ts';

const ChangeList = latePart(async () => ({
  default: (await import('./change-list.tsx')).ChangeList,
}));

export function reviewChanges(form: OptionForm): void {
  openDialog({
    title: translate('setting.review.title'),
    role: 'dialog',
    size: 640,
    withCloseButton: true,
    content: () => (
      <Suspense fallback={<LoadingRows rows={3} height={48} />}>
        <ChangeList form={form} />
      </Suspense>
    ),
  });
}
