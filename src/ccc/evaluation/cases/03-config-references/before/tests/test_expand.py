import pytest

from layered import ConfigError, expand


def test_plain():
    assert expand({"a": "1"}) == {"a": "1"}


def test_reference():
    assert expand({"home": "/srv", "logs": "${home}/logs"})["logs"] == "/srv/logs"


def test_unknown_key():
    with pytest.raises(ConfigError, match="nowhere"):
        expand({"a": "${nowhere}"})


def test_nested_reference():
    values = {"root": "/srv", "home": "${root}/app", "logs": "${home}/logs"}
    assert expand(values)["logs"] == "/srv/app/logs"


def test_cycle_of_two():
    with pytest.raises(ConfigError, match="a -> b -> a"):
        expand({"a": "${b}", "b": "${a}"})


def test_cycle_on_itself():
    with pytest.raises(ConfigError, match="a -> a"):
        expand({"a": "x${a}"})


@pytest.mark.slow
def test_many_keys():
    values = {f"k{i}": "${base}" for i in range(5000)}
    values["base"] = "v"
    assert set(expand(values).values()) == {"v"}
