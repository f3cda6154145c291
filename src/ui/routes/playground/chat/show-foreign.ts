/**
 * Shows a picture of another site in an answer, in the place of its link
 * (docs/rules/console.md#foreign-files).
 */
import type { MouseEvent } from 'react';
import { client } from '../../../client/api.ts';
import { leaveWhenExpired, toastFailure, toastProblem } from '../../../client/failures.ts';
import { translate } from '../../../i18n/index.ts';

/**
 * For clicks anywhere in an answer. A picture that cannot be shown leaves its link, which then
 * opens it in a new tab.
 */
export function showForeign(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest('a[data-foreign="image"]') : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  const giveUp = (tell: () => void) => {
    link.ariaBusy = null;
    link.dataset['foreign'] = 'link';
    tell();
  };
  client.files.showForeign({ address: link.href }).then(
    ({ url }) => {
      const picture = document.createElement('img');
      picture.alt = link.textContent;
      picture.addEventListener('load', () => link.replaceWith(picture));
      picture.addEventListener('error', () =>
        giveUp(() => toastProblem(translate('playground.foreign.failed'))),
      );
      picture.src = url;
    },
    (error: unknown) => giveUp(() => void (leaveWhenExpired(error) || toastFailure(error))),
  );
}
