import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { Loading } from '../states/loading';
import { runsAddress, signInAddress } from './addresses';
import { sessionQuery } from './session-query';

/** From an address without a page to the runs: of the team in it, or of the last team. */
export function HomeRedirect() {
  const { team } = useParams();
  const { data, error } = useQuery(sessionQuery(team));
  if (data) return <Navigate to={runsAddress(data.slug)} replace />;
  return error ? <Navigate to={signInAddress()} replace /> : <Loading what="Signing in" />;
}
