/*
 * node_features/k8s_resources as slurmctld and slurmd see Alibaba Cloud's plugin of this name: every feature may
 * change, and slurmd reports "k8s" as the only active one. Alibaba's source:
 * https://github.com/AliyunContainerService/ai-models-on-ack at 3af8a5e,
 * framework/slurm/slurm-plugins/node_features/k8s_resources/node_features_k8s_resources.c
 *
 * It also sets the counts of k8scpu and k8smemory, for which it reads structs of slurmctld. This one doesn't, and so
 * needs no header of Slurm: SLURM_VERSION_NUMBER is set when it is compiled.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

extern void *node_conf_get_active_bitmap(void);
extern int32_t slurm_bit_set_count(void *bitmap);
extern char *slurm_xstrdup(const char *text);
extern char *slurm_xstrdup_printf(const char *format, ...);

static const char FEATURE[] = "k8s";

const char plugin_name[] = "node_features k8s_resources plugin of the tests";
const char plugin_type[] = "node_features/k8s_resources";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void) { return 0; }
int fini(void) { return 0; }

bool node_features_p_changeable_feature(char *feature) { return true; }
void *node_features_p_get_node_bitmap(void) { return node_conf_get_active_bitmap(); }
int node_features_p_overlap(void *bitmap) { return slurm_bit_set_count(bitmap); }

void node_features_p_node_state(char **available, char **active)
{
	*available = slurm_xstrdup(FEATURE);
	*active = slurm_xstrdup(FEATURE);
}

char *node_features_p_node_xlate(char *new_features, char *features, char *available, int node)
{
	if (!features || !features[0])
		return slurm_xstrdup(FEATURE);
	if (strstr(features, FEATURE))
		return slurm_xstrdup(features);
	return slurm_xstrdup_printf("%s,%s", features, FEATURE);
}

char *node_features_p_node_xlate2(char *features) { return slurm_xstrdup(features); }

/* Alibaba's does nothing here either, but for node_update, which sets the two counts. */
int node_features_p_get_node(char *nodes) { return 0; }
int node_features_p_job_valid(char *features, void *list) { return 0; }
char *node_features_p_job_xlate(char *features, void *list, void *bitmap) { return NULL; }
bool node_features_p_node_power(void) { return false; }
int node_features_p_node_set(char *features, bool *reboot) { return 0; }
int node_features_p_node_update(char *features, void *bitmap) { return 0; }
bool node_features_p_node_update_valid(void *node, void *message) { return true; }
void node_features_p_step_config(bool sort, void *bitmap) {}
bool node_features_p_user_update(uid_t user) { return true; }
uint32_t node_features_p_boot_time(void) { return 5 * 60; }
uint32_t node_features_p_reboot_weight(void) { return 1; }
int node_features_p_reconfig(void) { return 0; }
void node_features_p_get_config(void *parameters) {}
