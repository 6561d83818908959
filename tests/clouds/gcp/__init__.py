"""Google Cloud, simulated: what its provider and its APIs do with the resources that GKE stacks are made of.

Which change replaces a resource, what is filled in and how errors read is taken from the sources of Terraform's
provider google-beta (7.x), on which pulumi-gcp is built, and from Google's documentation. Nothing here was compared
with a real project.
"""
