// Modules that are downloaded for the charts and CRDs in them; nothing here is compiled.
//
// The launcher compares each download with its h1 sum in go.sum. slurm-operator is listed in two versions, which go.mod
// cannot require at once: the older one is named in the launcher's table and has its sum in go.sum as well.
module pulumi-slurm/devcluster/charts

go 1.26.1

require (
	github.com/SlinkyProject/slurm-operator v1.1.0
	github.com/cert-manager/cert-manager v1.21.2
	github.com/kedacore/charts v2.20.3-0.20260903105638-fe065f4d8938+incompatible
	github.com/kedacore/keda/v2 v2.21.0
	github.com/mariadb-operator/mariadb-operator v0.38.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
	sigs.k8s.io/jobset v0.11.1
	sigs.k8s.io/kwok v0.8.0
	sigs.k8s.io/lws v0.8.0
	sigs.k8s.io/scheduler-plugins v0.33.5
)
