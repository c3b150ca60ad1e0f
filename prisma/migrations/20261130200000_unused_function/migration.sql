-- "measure_backlog" says the same and more.
DROP FUNCTION "count_runs_by_state"();
