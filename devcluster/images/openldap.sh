#!/bin/bash
# The environment variables of osixia/openldap that we state: a directory of the domain with its administrator.
set -eu
base=dc=${LDAP_DOMAIN//./,dc=}
config=/etc/ldap/slapd.d
mkdir -p /run/slapd /var/lib/ldap
if [ ! -e "$config/cn=config.ldif" ]; then
    certificates=/etc/ldap/slapd.d/certificates
    mkdir -p "$certificates"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$LDAP_DOMAIN" \
        -keyout "$certificates/key.pem" -out "$certificates/certificate.pem" 2>/dev/null
    # By a file: the machine sees the arguments of its containers' programs.
    (umask 077 && printf %s "$LDAP_ADMIN_PASSWORD" >/tmp/password)
    password=$(slappasswd -T /tmp/password)
    rm /tmp/password
    slapadd -n 0 -F "$config" <<LDIF
dn: cn=config
objectClass: olcGlobal
cn: config
olcTLSCertificateFile: $certificates/certificate.pem
olcTLSCertificateKeyFile: $certificates/key.pem
olcTLSVerifyClient: ${LDAP_TLS_VERIFY_CLIENT:-never}

dn: cn=module,cn=config
objectClass: olcModuleList
cn: module
olcModulePath: /usr/lib/ldap
olcModuleLoad: back_mdb

dn: cn=schema,cn=config
objectClass: olcSchemaConfig
cn: schema

include: file:///etc/ldap/schema/core.ldif

include: file:///etc/ldap/schema/cosine.ldif

include: file:///etc/ldap/schema/nis.ldif

include: file:///etc/ldap/schema/inetorgperson.ldif

dn: olcDatabase={1}mdb,cn=config
objectClass: olcMdbConfig
olcDatabase: {1}mdb
olcSuffix: $base
olcDbDirectory: /var/lib/ldap
olcRootDN: cn=admin,$base
olcRootPW: $password
olcAccess: to attrs=userPassword by self write by anonymous auth by * none
olcAccess: to * by self read by dn.exact="cn=admin,$base" write by * none
LDIF
    slapadd -n 1 -F "$config" <<LDIF
dn: $base
objectClass: top
objectClass: dcObject
objectClass: organization
dc: ${LDAP_DOMAIN%%.*}
o: $LDAP_ORGANISATION
LDIF
fi
exec slapd -d none -h "ldap:/// ldapi:///" -F "$config"
