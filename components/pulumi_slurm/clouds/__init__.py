"""What every cloud shares: base models, rules, the plan of node pools, and how a cloud's specification is read."""
