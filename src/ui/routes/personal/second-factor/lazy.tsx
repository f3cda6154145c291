/** The panel with its texts, loaded after the screen (docs/rules/console.md#first-load). */
import { lazy, Suspense } from 'react';
import { loadTextPart } from '../../../i18n/index.ts';

const Panel = lazy(async () => {
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
