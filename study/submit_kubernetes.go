package study

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// kubernetesJob is an indexed Job. The plan lies on a volume that all pods share; a pod that is evicted
// is replaced, and continues from the checkpoints that it wrote at SIGTERM.
//
// A pod that fails does not end the job: backoffLimitPerIndex counts failures by index, and as many indices may fail as
// there are. A replacement starts when its predecessor has ended (podReplacementPolicy), so that two never run the same
// cases.
const kubernetesJob = `# Written by curlfree. Copy the plan to the volume of the claim named below; the image must hold the
# program that made the plan, as /usr/local/bin/curlfree, and a shell.
apiVersion: batch/v1
kind: Job
metadata:
  name: curlfree-study
spec:
  completionMode: Indexed
  completions: {tasks}
  parallelism: {parallel}
  backoffLimitPerIndex: 5
  maxFailedIndexes: {tasks}
  podReplacementPolicy: Failed
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
        - name: curlfree
          image: "{image}"
          command: [sh, -c, 'exec curlfree study exec /plan --chunk "$JOB_COMPLETION_INDEX/{tasks}" --threads 1 --wait']
          resources:
            requests: {cpu: 1, memory: "{memory}"}
          volumeMounts:
            - {name: plan, mountPath: /plan}
      volumes:
        - name: plan
          persistentVolumeClaim: {claimName: curlfree-plan}
`

// printKubernetes prints the manifest of an indexed Job that runs the missing cases.
func printKubernetes(p *Plan, opt *SubmitOptions, out io.Writer) error {
	// tasks follow the cases that are missing now; those that end meanwhile are passed over by study exec
	at := p.Status(true)
	if len(at.Missing) == 0 {
		opt.Say("nothing to run: all %d cases have results", at.Cases)
		return nil
	}
	// a pod takes one chunk of all cases by its index, so that the manifest needs no list of cases
	n := len(p.tasks(at.Missing, at, opt))
	_, err := io.WriteString(out, strings.NewReplacer(
		"{tasks}", fmt.Sprint(n), "{parallel}", fmt.Sprint(cmp.Or(min(opt.ArrayLimit, n), n)),
		"{image}", cmp.Or(opt.Image, "curlfree"), "{memory}", cmp.Or(opt.Mem, "1Gi"),
	).Replace(kubernetesJob))
	return err
}
