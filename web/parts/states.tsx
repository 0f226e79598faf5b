import type { ComponentChildren } from 'preact';
import type { ApiFailure } from '../failure.ts';
import type { Resource } from '../resource.ts';
import { linkTo, route } from '../router.ts';
import { Icon, type IconName } from './icon.tsx';
import { NextSteps } from './next-steps.tsx';

/** An empty state, with text on how to fill it. */
export const Empty = ({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
}) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name={icon} />
    </span>
    <h2>{title}</h2>
    <div>{children}</div>
  </div>
);

/** That no project has been captured yet is no failure. */
export const NothingYet = () => (
  <Empty icon="today" title="Nothing here yet">
    <p>The sessions of your agents appear here by themselves.</p>
    <NextSteps />
  </Empty>
);

const hintOf = ({ hint }: ApiFailure) => (/^backstory /.test(hint) ? <code>{hint}</code> : hint);

export const Failed = ({ failure, children }: { failure: ApiFailure; children?: ComponentChildren }) =>
  failure.code === 'NOTHING_CAPTURED' ? (
    <NothingYet />
  ) : (
    <div class="empty" role="alert">
      <span class="empty-icon empty-icon-bad">
        <Icon name="warning" />
      </span>
      <h2>{failure.message}</h2>
      <p>{hintOf(failure)}</p>
      {children}
    </div>
  );

/** Warns that a reload failed, so the shown data may be out of date. */
const Outdated = ({ failure }: { failure: ApiFailure }) => (
  <p class="outdated" role="status">
    <Icon name="warning" />
    <span>
      This page may be out of date. {failure.message} {hintOf(failure)}
    </span>
  </p>
);

const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    {[72, 54, 88, 40, 66].map((width) => (
      <span key={width} style={{ width: `${width}%` }} />
    ))}
  </div>
);

interface LoadedProps<T> {
  of: Resource<T>;
  children(value: T): ComponentChildren;
}

/** Shows a skeleton, a failure or the loaded value. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  if (of.value !== undefined)
    return (
      <>
        {of.failure !== undefined && <Outdated failure={of.failure} />}
        {children(of.value)}
      </>
    );
  if (of.failure === undefined) return <Skeleton />;
  const { page, rest } = route.value;
  if (rest === '' || of.failure.code !== 'NOT_FOUND') return <Failed failure={of.failure} />;
  return (
    <Empty icon="search" title={`There is no ${page} ${rest} here.`}>
      <a class="more-link" href={linkTo('search')}>
        Search
      </a>
    </Empty>
  );
}

export const Key = ({ of }: { of: string }) => (
  <span class="keys">
    {of.split(' ').map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);
