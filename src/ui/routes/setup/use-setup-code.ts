/**
 * The setup code as it is typed, pasted or brought by the link, and whether the server accepts it.
 */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { client } from '../../client/api.ts';
import { codeOfHash, readCode } from './code-text.ts';

export function useSetupCode() {
  const [code, setCode] = useState('');
  /** Undefined until it is checked. */
  const [right, setRight] = useState<boolean>();
  /** A code chosen with SETUP_TOKEN needs one field, not a cell for each character. */
  const [long, setLong] = useState(false);
  const latest = useRef('');
  const { mutate } = useMutation({
    mutationFn: (setup_token: string) => client.system.checkSetupToken({ setup_token }),
    // A reply about a code that has been changed since is of no use.
    onSuccess: ({ valid }, asked) => asked === latest.current && setRight(valid),
  });
  const change = (text: string) => {
    latest.current = text;
    setCode(text);
    setRight(undefined);
  };
  const check = (text: string) => {
    if (text !== '') mutate(text);
  };
  /** Takes a whole code at once. */
  const take = (given: string) => {
    const { text, fits } = readCode(given);
    setLong(!fits);
    change(text);
    check(text);
  };

  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const linked = codeOfHash(hash);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link that is opened
  useEffect(() => {
    if (linked === undefined) return;
    take(linked);
    // The code must not stay in the address bar, in the history or in a screenshot.
    void navigate({ pathname, search }, { replace: true });
  }, [linked]);

  return {
    code,
    right,
    long,
    change,
    check,
    take,
    /**
     * It is missing, or the server refused it with the setup: it has ended since it was checked.
     */
    refuse: () => setRight(false),
    setLong: (next: boolean) => {
      setLong(next);
      change('');
    },
  };
}
export type SetupCodeState = ReturnType<typeof useSetupCode>;
