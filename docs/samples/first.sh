#!/bin/sh
curl -H "Authorization: Bearer $GALLEY_KEY" \
  https://api.example.com/api/v1/connection

curl -H "Authorization: Bearer $GALLEY_KEY" \
  'https://api.example.com/api/v1/articles?limit=1'
