/**
 * Sends the browser to Epay's payment page with the order, as a form (docs/rules/payments.md#epay).
 */
export function handOver(
  url: string,
  fields: Readonly<Record<string, string>>,
  onBlocked: () => void,
): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  // The page's policy is older than the address: it was changed after the page had been loaded.
  const refused = (event: SecurityPolicyViolationEvent) => {
    if (event.effectiveDirective !== 'form-action') return;
    document.removeEventListener('securitypolicyviolation', refused);
    form.remove();
    onBlocked();
  };
  document.addEventListener('securitypolicyviolation', refused);
  document.body.append(form);
  form.submit();
}
