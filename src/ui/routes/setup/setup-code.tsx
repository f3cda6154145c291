/** The one-time code of the terminal: six cells; or a field for a code the operator chose by SETUP_TOKEN. */
import { PinInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../client/api.ts';
import classes from './setup-code.module.css';

const cells = 6;

interface SetupCodeProps {
  readonly right: boolean | undefined;
  readonly onChecked: (right: boolean | undefined) => void;
  readonly onCode: (code: string) => void;
}

export function SetupCode({ right, onChecked, onCode }: SetupCodeProps) {
  const { t } = useTranslation();
  const [long, setLong] = useState(false);
  const [text, setText] = useState('');
  const check = useMutation({
    mutationFn: (setup_token: string) => client.system.checkSetupToken({ setup_token }),
    onSuccess: ({ valid }) => onChecked(valid),
  });
  const change = (next: string) => {
    setText(next);
    onCode(next);
    onChecked(undefined);
  };
  return (
    <>
      <div className={classes.row}>
        {long ? (
          <TextInput
            className={classes.field}
            aria-label={t('setup.code.label')}
            value={text}
            autoFocus
            autoComplete="one-time-code"
            error={right === false}
            onChange={(event) => change(event.currentTarget.value.trim())}
            onBlur={() => text !== '' && check.mutate(text)}
          />
        ) : (
          <PinInput
            length={cells}
            gap={8}
            type={/^[0-9a-z]$/i}
            placeholder=""
            autoFocus
            oneTimeCode={false}
            value={text}
            error={right === false}
            aria-label={t('setup.code.label')}
            getInputProps={(index) => ({ 'aria-label': t('setup.code.cell', { n: index + 1 }) })}
            classNames={{ input: classes.cell ?? '', root: classes.cells ?? '' }}
            data-right={right || undefined}
            onChange={(next) => change(next.toUpperCase())}
            onComplete={(next) => check.mutate(next.toUpperCase())}
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
      <button
        type="button"
        className={classes.other}
        onClick={() => {
          setLong(!long);
          change('');
        }}
      >
        {t(long ? 'setup.code.short' : 'setup.code.long')}
      </button>
    </>
  );
}
