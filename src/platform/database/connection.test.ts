import { connectionStringFor } from './connection';

function optionsOf(url: string): string | null {
  return new URL(url.replace('@/', '@host/')).searchParams.get('options');
}

describe('connectionStringFor', () => {
  it('adds role and time-outs', () => {
    const url = connectionStringFor('postgresql://u:p%40@host:5432/db', 'stallscope_app');
    expect(url).toMatch(/^postgresql:\/\/u:p%40@host:5432\/db\?options=/);
    expect(optionsOf(url)).toMatch(/^-c role=stallscope_app -c statement_timeout=\d+ -c idle_in_transaction/);
  });

  it('comes after the options that are there, so that it wins, and keeps other parameters', () => {
    const url = connectionStringFor(
      'postgresql://h/db?sslmode=require&options=-c%20role%3Dpostgres',
      'stallscope_app',
    );
    expect(optionsOf(url)).toMatch(/^-c role=postgres -c role=stallscope_app /);
    expect(new URL(url).searchParams.get('sslmode')).toBe('require');
  });

  it('leaves a socket address alone', () => {
    expect(connectionStringFor('postgresql://u@/db?host=/run/postgresql', 'r')).toMatch(
      /^postgresql:\/\/u@\/db\?host=%2Frun%2Fpostgresql&options=/,
    );
  });

  it('never writes a plus for a space', () => {
    expect(connectionStringFor('postgresql://h/db', 'r')).not.toContain('+');
  });
});
