/**
 * A picture, music or a video by its address: a file of this gateway at once, one of another site
 * after a click and through the gateway, so that the other site does not learn who looks
 * (docs/rules/console.md#foreign-files).
 */

import { type ReactNode, Suspense, useState } from 'react';
import type { ForeignKind } from '../browser/foreign-content.ts';
import { shownFile } from '../browser/shown-file.ts';
import { latePart } from '../client/late-part.ts';

const ForeignFile = latePart(async () => ({
  default: (await import('./foreign-file.tsx')).ForeignFile,
}));

export interface ShownFileProps {
  readonly address: string;
  readonly kind: ForeignKind;
  /**
   * What the reader requested by other means, such as an image that was ordered, needs no click
   * again.
   */
  readonly loadsAtOnce?: boolean;
  /** In the place of what cannot be shown; absent: a link to it, where there is one. */
  readonly fallback?: ReactNode;
  /** While a file that `loadsAtOnce` is on its way. */
  readonly waiting?: ReactNode;
  /** Draws the file. `onBroken`: it could not be loaded. */
  readonly children: (src: string, onBroken: () => void) => ReactNode;
}

export function ShownFile(props: ShownFileProps) {
  const { address, fallback = null, waiting = null, children } = props;
  const [broken, setBroken] = useState('');
  const file = shownFile(address);
  if (file?.kind === 'foreign')
    return (
      <Suspense fallback={waiting}>
        <ForeignFile {...props} href={file.href} host={file.host} />
      </Suspense>
    );
  return file === undefined || broken === file.src
    ? fallback
    : children(file.src, () => setBroken(file.src));
}
