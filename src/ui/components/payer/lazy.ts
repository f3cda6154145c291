import { latePart } from '../../client/late-part.ts';
import { loadTextPart } from '../../i18n/index.ts';

/** The dialog with its texts, loaded when it is opened (docs/rules/console.md#first-load). */
export const LazyPayerDialog = latePart(async () => {
  const [{ PayerDialog }] = await Promise.all([
    import('./payer-dialog.tsx'),
    loadTextPart('receipt'),
  ]);
  return { default: PayerDialog };
});
