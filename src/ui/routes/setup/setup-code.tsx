/**
 * The one-time code of the terminal: six cells; or a field for a code the operator chose by
 * SETUP_TOKEN.
 */
import { PinInput, TextInput } from '@mantine/core';
import { useTranslation } from '../../i18n/index.ts';
import { codeLength } from './code-text.ts';
import classes from './setup-code.module.css';
import type { SetupCodeState } from './use-setup-code.ts';

export function SetupCode({ state }: { state: SetupCodeState }) {
  const { t } = useTranslation();
  const { code, right, long, change, check, take, setLong } = state;
  return (
    <>
      <div className={classes.row}>
        {long ? (
          <TextInput
            className={classes.field}
            aria-label={t('setup.code.label')}
            value={code}
            autoFocus
            autoComplete="one-time-code"
            error={right === false}
            data-right={right || undefined}
            onChange={(event) => change(event.currentTarget.value.trim())}
            onBlur={() => check(code)}
          />
        ) : (
          <PinInput
            length={codeLength}
            gap={8}
            type={/^[0-9a-z]$/i}
            placeholder=""
            autoFocus
            oneTimeCode={false}
            value={code}
            error={right === false}
            aria-label={t('setup.code.label')}
            getInputProps={(index) => ({ 'aria-label': t('setup.code.cell', { n: index + 1 }) })}
            classNames={{ input: classes.cell ?? '', root: classes.cells ?? '' }}
            data-right={right || undefined}
            onChange={(next) => change(next.toUpperCase())}
            onComplete={(next) => check(next.toUpperCase())}
            // The cells check a pasted text against the pattern of one character, so they never get
            // to see it.
            onPasteCapture={(event) => {
              event.preventDefault();
              event.stopPropagation();
              take(event.clipboardData.getData('text/plain'));
            }}
          />
        )}
        <div className={classes.terminal} aria-hidden="true">
          <span>$ npx turnpike</span>
          <span>
            {t('setup.code.terminal')}
            <b>••• •••</b>
          </span>
        </div>
      </div>
      <button type="button" className={classes.other} onClick={() => setLong(!long)}>
        {t(long ? 'setup.code.short' : 'setup.code.long')}
      </button>
    </>
  );
}
