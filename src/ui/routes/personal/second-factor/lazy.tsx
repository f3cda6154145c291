/** The panel with its texts, loaded after the screen (docs/rules/console.md#first-load). */

import { Suspense } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { loadTextPart } from '../../../i18n/index.ts';

const Panel = latePart(async () => {
  const [{ SecondFactorPanel }] = await Promise.all([
    import('./index.tsx'),
    loadTextPart('secondFactor'),
  ]);
  return { default: SecondFactorPanel };
});

export function LazySecondFactorPanel() {
  return (
    <Suspense fallback={null}>
      <Panel />
    </Suspense>
  );
}
