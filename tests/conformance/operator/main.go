// Runs the KubeRay operator's own checks over objects: a JSON list on standard input, a JSON list of what the operator says
// of each on standard output ("" where it takes it).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	// What a gate hides is checked by nobody: with it, the operator judges what the stack means.
	if err := utilfeature.DefaultMutableFeatureGate.Set("RayServiceIncrementalUpgrade=true"); err != nil {
		return err
	}
	var objects []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&objects); err != nil {
		return err
	}
	verdicts := make([]string, len(objects))
	for index, object := range objects {
		said, err := judge(object)
		if err != nil {
			return fmt.Errorf("object %d: %w", index, err)
		}
		if said != nil {
			verdicts[index] = said.Error()
		}
	}
	return json.NewEncoder(os.Stdout).Encode(verdicts)
}

// What the operator says of an object; the second error is of an object that is none.
func judge(object json.RawMessage) (said, err error) {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(object, &kind); err != nil {
		return nil, err
	}
	switch kind.Kind {
	case "RayCluster":
		var cluster rayv1.RayCluster
		if err := json.Unmarshal(object, &cluster); err != nil {
			return nil, err
		}
		return first(
			utils.ValidateRayClusterMetadata(cluster.ObjectMeta),
			utils.ValidateRayClusterSpec(&cluster.Spec, cluster.Annotations),
			utils.ValidateRayClusterUpgradeOptions(&cluster),
		), nil
	case "RayJob":
		var job rayv1.RayJob
		if err := json.Unmarshal(object, &job); err != nil {
			return nil, err
		}
		said := first(utils.ValidateRayJobMetadata(job.ObjectMeta), utils.ValidateRayJobSpec(&job))
		if said == nil && job.Spec.RayClusterSpec != nil {
			said = child(*job.Spec.RayClusterSpec, utils.RayJobCRD)
		}
		return said, nil
	case "RayService":
		var service rayv1.RayService
		if err := json.Unmarshal(object, &service); err != nil {
			return nil, err
		}
		said := first(utils.ValidateRayServiceMetadata(service.ObjectMeta), utils.ValidateRayServiceSpec(&service))
		if said == nil {
			said = child(service.Spec.RayClusterSpec, utils.RayServiceCRD)
		}
		if said == nil {
			cluster := rayv1.RayCluster{ObjectMeta: service.ObjectMeta, Spec: service.Spec.RayClusterSpec}
			_, said = common.BuildServeServiceForRayService(context.Background(), service, cluster)
		}
		return said, nil
	case "RayCronJob":
		var cron rayv1.RayCronJob
		if err := json.Unmarshal(object, &cron); err != nil {
			return nil, err
		}
		return utils.ValidateRayCronJobSpec(&cron), nil
	}
	return nil, fmt.Errorf("%q is no kind of KubeRay's", kind.Kind)
}

// What the operator says of the cluster that an object makes: it knows the maker by a label.
func child(spec rayv1.RayClusterSpec, maker utils.CRDType) error {
	labels := map[string]string{utils.RayOriginatedFromCRDLabelKey: string(maker)}
	cluster := rayv1.RayCluster{ObjectMeta: metav1.ObjectMeta{Name: "child", Labels: labels}, Spec: spec}
	return utils.ValidateRayClusterUpgradeOptions(&cluster)
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
