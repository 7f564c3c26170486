import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

/** The first heading of a visit is read by itself; every later one is gone to. */
let isFirst = true;

interface PageProps {
  title: string;
  intro?: ReactNode;
  /** Where it belongs. */
  back?: { to: NonNullable<LinkProps['to']>; label: string };
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its title, what can be done, and its content. */
export function Page({ title, intro, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${title} · Pavis`;
  }, [title]);
  return (
    <>
      <div className="page-head">
        <div>
          {back && (
            <nav className="trail" aria-label="Up">
              <Link to={back.to}>← {back.label}</Link>
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
