if __name__ == "__main__":
    # Ray waits this long for all workers to start; it hands the variable on to its controller.
    os.environ.setdefault(
        "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S", str(SPEC["worker_group_start_timeout_s"])
    )
    print(f"finished: {main().checkpoint}")
