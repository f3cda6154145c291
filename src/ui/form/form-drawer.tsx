/**
 * A drawer creates or edits one thing: title with logo and id, body, and a fixed foot with the list
 * of what changed. Leaving with changes asks (docs/rules/console.md#unsaved-changes).
 */
import { Button, CloseButton, Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Whole } from '../components/whole.tsx';
import { useEscape } from '../hooks/use-escape.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './form-drawer.module.css';
import { useLeaveQuestion } from './use-leave-question.ts';

interface FormDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly logo?: ReactNode;
  /** One text per changed field; empty when nothing changed. */
  readonly changes: readonly string[];
  readonly submitLabel: string;
  readonly submitting: boolean;
  /**
   * Errors of the last refused save; another object after each. The first field that is wrong takes
   * the focus.
   */
  readonly refused?: object | undefined;
  /** What is wrong with no field that is in sight: stays above the buttons until the next save. */
  readonly problems?: readonly string[];
  readonly onSubmit: () => void;
  /** A new thing can be saved untouched; an edited one only when something changed. */
  readonly creating: boolean;
  readonly children: ReactNode;
}

/** How long a group of fields takes to unfold, with some to spare. */
const unfoldMs = 150;

export function FormDrawer(props: FormDrawerProps) {
  const {
    opened,
    onClose,
    title,
    subtitle,
    logo,
    changes,
    submitLabel,
    submitting,
    refused,
    problems = [],
    onSubmit,
    creating,
    children,
  } = props;
  const { t } = useTranslation();
  useReturnFocus();
  const list = changes.join(t('common.changes.joint'));
  const askToLeave = useLeaveQuestion(changes);
  // Also while it is saved: its reply may never come.
  const leave = () => askToLeave({ leave: onClose });
  const place = useRef<HTMLFormElement>(null);
  useEscape(place, leave);
  // While it is saved the fields rest: what is typed then would be lost as the drawer closes.
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (submitting || document.activeElement !== document.body) return;
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  }, [submitting]);
  useEffect(() => {
    if (refused === undefined) return;
    const focusFirst = () =>
      place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    const timer = setTimeout(focusFirst, unfoldMs);
    return () => clearTimeout(timer);
  }, [refused]);
  return (
    <Drawer.Root opened={opened} onClose={leave} closeOnEscape={false} size={560} position="right">
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content radius={0} aria-label={title}>
        <form
          ref={place}
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            focused.current = document.activeElement;
            onSubmit();
          }}
        >
          <div className={classes.head}>
            {logo}
            <div className={classes.titles}>
              <h2 className={classes.title}>{title}</h2>
              {subtitle !== undefined && (
                <p className={classes.subtitle}>
                  <Whole text={subtitle} />
                </p>
              )}
            </div>
            <CloseButton aria-label={t('common.close')} onClick={leave} />
          </div>
          <div className={classes.body} inert={submitting}>
            {children}
          </div>
          {problems.map((problem) => (
            <p key={problem} className={classes.error} role="alert">
              {problem}
            </p>
          ))}
          <div className={classes.foot} data-foot-bar>
            <p
              className={classes.changes}
              data-changed={(!creating && changes.length > 0) || undefined}
              role="status"
            >
              {creating
                ? ''
                : changes.length === 0
                  ? t('common.changes.none')
                  : t('common.changes', { count: changes.length, list })}
            </p>
            <Button variant="default" onClick={leave}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={submitting}>
              {submitLabel}
            </Button>
          </div>
        </form>
      </Drawer.Content>
    </Drawer.Root>
  );
}
