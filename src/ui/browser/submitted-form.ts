/**
 * The focus of a form that was submitted, wherever it stands (docs/rules/console.md#forms): the
 * first field that is wrong takes it, now or when the server has refused; a button that is disabled
 * while its call is under way has it again afterwards.
 */

const wrong = '[aria-invalid="true"]';
let stop = () => {};

function watch(form: HTMLFormElement): void {
  stop();
  const before = document.activeElement;
  const timers: number[] = [];
  const look = () => {
    const field = form.querySelector<HTMLElement>(wrong);
    if (field !== null) {
      stop();
      field.focus();
    } else if (
      document.activeElement === document.body &&
      before instanceof HTMLElement &&
      form.contains(before)
    )
      // Nothing, while it is disabled.
      before.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  stop = () => {
    observer.disconnect();
    form.removeEventListener('input', stop);
    for (const timer of timers) window.clearTimeout(timer);
  };
  // Who goes on writing is not taken elsewhere.
  form.addEventListener('input', stop);
  const attributeFilter = ['aria-invalid', 'disabled', 'data-loading'];
  observer.observe(form, { subtree: true, attributes: true, attributeFilter });
  // A field that was wrong before, and still is.
  timers.push(window.setTimeout(look));
}

document.addEventListener(
  'submit',
  ({ target }) => {
    if (target instanceof HTMLFormElement) watch(target);
  },
  true,
);
