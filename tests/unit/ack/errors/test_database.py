"""The database in RDS for MySQL: what is only warned of."""

from tests.unit.ack.errors.harness import warnings_of


def test_general_purpose_instances_may_take_the_key_of_rds_alone() -> None:
    assert warnings_of("database: {encryptionKey: key-1}") == [
        "database.encryptionKey: mysql.n2.medium.1 is a general-purpose type, and RDS may encrypt those by a key of "
        'its own alone. Write a dedicated instanceType, which begins with "mysql.x", or leave encryptionKey out.'
    ]
    assert warnings_of("database: {encryptionKey: key-1, instanceType: mysql.x2.medium.1}") == []
