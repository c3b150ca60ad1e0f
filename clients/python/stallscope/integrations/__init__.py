"""Where the hook meets torch.profiler, Hugging Face Trainer, Lightning and loops of one's own."""
