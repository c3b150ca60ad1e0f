#!/bin/sh
# Epilog of slurmd: when a job leaves a node, what it recorded there goes to Stallscope; see README.md.
#
# A job opts in by writing to $STALLSCOPE_FOLDER/<job id>: traces, step times, logs and, if it likes, stallscope.json with the
# body of POST /v1/runs. All nodes of the job come to one run. It ends with 0 whatever happens: Slurm drains a node whose epilog fails.
set -u

# shellcheck source=/dev/null
[ -r "${STALLSCOPE_CONFIG:=/etc/stallscope/epilog.conf}" ] && . "$STALLSCOPE_CONFIG"
export STALLSCOPE_SERVER STALLSCOPE_TOKEN
folder=${STALLSCOPE_FOLDER:-/var/spool/stallscope}/${SLURM_JOB_ID:?}
[ -d "$folder" ] || exit 0

if [ "$(id -u)" = 0 ] && [ "${SLURM_JOB_USER:-root}" != root ]; then
  # The folder is the user's: what root may read besides is none of it.
  export STALLSCOPE_READ_AS="$SLURM_JOB_USER"
fi
said=$folder/stallscope.json
[ -f "$said" ] || said=''
timeout "${STALLSCOPE_TIMEOUT_S:-600}" "${STALLSCOPE_UPLOAD:-/usr/local/bin/stallscope-upload.sh}" \
  -m "${SLURM_JOB_NAME:-unnamed}" -c "${SLURM_CLUSTER_NAME:-cluster}" ${said:+-b "$said"} \
  -k "slurm ${SLURM_CLUSTER_NAME:-} $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0}" "$folder" 2>&1 |
  { if [ -S /dev/log ]; then logger -t stallscope; else sed "s/^/stallscope: job $SLURM_JOB_ID: /" >&2; fi; }
exit 0
